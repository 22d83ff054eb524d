import { Readable } from 'node:stream';
import type { MediaRequest, MediaSource, OpenedMedia } from '../channels/media-source.port.ts';
import { notFound, ServiceError } from '../platform/errors.ts';
import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { codeOf, errorIn, faultOf } from './chatapp-errors.ts';

const MAX_MEDIA_BYTES = 25 * 1024 * 1024;
const MAX_ANSWER_BYTES = 64 * 1024;
/** For the metadata, and for the first bytes of the content. */
const ANSWER_WITHIN_MS = 10_000;
/** For the whole download, including the time that its reader takes. */
const DONE_WITHIN_MS = 60_000;
/** The access token is sent to no other host, whatever the API answers. */
const DOWNLOAD_HOSTS = ['.whatsapp.net', '.fbcdn.net', '.fbsbx.com', '.facebook.com'];
/** An error code of the API. */
const NO_SUCH_OBJECT = 100;
const MIME_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}(?:; ?[\w-]{1,50}=[\w.+-]{1,100})*$/;

interface ChatappMediaOptions {
  answerWithinMs?: number;
  doneWithinMs?: number;
}

interface Download {
  base_url: string;
  headers: Record<string, string>;
  end: AbortController;
}

const failure = (message: string) => new ServiceError('bad_gateway', message);
const tooLarge = () => new ServiceError('payload_too_large', 'The media is larger than 25 MiB');

/** Media of the WhatsApp Cloud API: GET {base_url}/{media_id} returns the metadata with the download's URL. */
export class ChatappMedia implements MediaSource {
  readonly #fetchMetadata = boundedFetch(MAX_ANSWER_BYTES);
  readonly #fetchContent = boundedFetch(MAX_MEDIA_BYTES);
  readonly #answerWithinMs: number;
  readonly #doneWithinMs: number;

  constructor({
    answerWithinMs = ANSWER_WITHIN_MS,
    doneWithinMs = DONE_WITHIN_MS,
  }: ChatappMediaOptions = {}) {
    this.#answerWithinMs = answerWithinMs;
    this.#doneWithinMs = doneWithinMs;
  }

  async open({ base_url, media_id, access_token, signal }: MediaRequest): Promise<OpenedMedia> {
    const end = new AbortController();
    const abort = () => end.abort();
    const timer = setTimeout(abort, this.#doneWithinMs);
    signal?.addEventListener('abort', abort, { once: true });
    end.signal.addEventListener('abort', () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    });
    if (signal?.aborted) abort();
    const headers = { authorization: `Bearer ${access_token}`, 'accept-encoding': 'identity' };
    const download = { base_url, headers, end };
    try {
      const metadata = await this.#within(end, this.#describe(download, media_id));
      if ((numberOf(metadata.file_size) ?? 0) > MAX_MEDIA_BYTES) throw tooLarge();
      return await this.#within(end, this.#open(download, metadata));
    } catch (error) {
      abort();
      throw error instanceof ServiceError ? error : failure(`The channel did not answer: ${reasonOf(error)}`);
    }
  }

  async #describe({ base_url, headers, end }: Download, media_id: string): Promise<JsonObject> {
    const url = `${base_url}/${encodeURIComponent(media_id)}`;
    const response = await this.#fetchMetadata(url, { headers, signal: end.signal });
    const answer = parse(await response.text());
    if (!response.ok) throw refusalOf(response.status, answer);
    return answer ?? raise(failure('The channel’s answer is not understood'));
  }

  async #open({ base_url, headers, end }: Download, metadata: JsonObject): Promise<OpenedMedia> {
    const url = downloadUrl(metadata.url, base_url);
    if (!url) throw failure('The channel named an address for the media that is not its own');
    const response = await this.#fetchContent(url, { headers, signal: end.signal });
    if (!response.ok || !response.body) throw refusalOf(response.status, undefined);
    const mime_type = mimeOf(metadata.mime_type) ?? mimeOf(response.headers.get('content-type'));
    if (isPage(response.headers.get('content-type')) && !isPage(mime_type)) {
      throw failure('The channel answered with a page in place of the media');
    }
    // For a compressed response, Content-Length is not the content's size.
    const size = response.headers.has('content-encoding')
      ? null
      : numberOf(response.headers.get('content-length'));
    if ((size ?? 0) > MAX_MEDIA_BYTES) throw tooLarge();
    const reader = response.body.getReader();
    const first = await reader.read();
    const content = Readable.from(piecesOf(first, reader), { objectMode: false });
    content.once('close', () => end.abort());
    return { mime_type, size, content };
  }

  /** A timeout of its own, because Node's fetch may ignore its signal once a response has begun. */
  async #within<T>(end: AbortController, work: Promise<T>): Promise<T> {
    const timer = setTimeout(() => end.abort(), this.#answerWithinMs);
    const ended = new Promise<never>((_, reject) => {
      const refuse = () => reject(new DOMException('It took too long', 'TimeoutError'));
      if (end.signal.aborted) refuse();
      else end.signal.addEventListener('abort', refuse, { once: true });
    });
    ended.catch(() => {});
    work.catch(() => {});
    return Promise.race([work, ended]).finally(() => clearTimeout(timer));
  }
}

type Piece = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>>;

async function* piecesOf(first: Piece, reader: ReadableStreamDefaultReader<Uint8Array>) {
  for (let piece = first; !piece.done; piece = await reader.read()) yield piece.value;
}

/** undefined unless the URL is on an https host of the channel, or on the API's own origin. */
function downloadUrl(value: unknown, base_url: string): URL | undefined {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  if (!url || url.username !== '' || url.password !== '') return undefined;
  if (url.origin === new URL(base_url).origin) return url;
  const isTheirs = DOWNLOAD_HOSTS.some((host) => url.hostname.endsWith(host));
  return url.protocol === 'https:' && url.port === '' && isTheirs ? url : undefined;
}

function refusalOf(status: number, answer: JsonObject | undefined): ServiceError {
  const error = errorIn(answer);
  if (status === 404 || (status === 400 && codeOf(error) === NO_SUCH_OBJECT)) return notFound('Media');
  if (faultOf(status, error) === 'credential') return failure('The channel refused the access token');
  return failure(`The channel answered ${status}`);
}

const isPage = (type: string | null): boolean => type?.startsWith('text/html') ?? false;

const mimeOf = (value: unknown): string | null =>
  typeof value === 'string' && MIME_TYPE.test(value) ? value : null;

/** The API writes sizes as numbers and as strings. */
function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

/** Only a code or name: messages of the library may quote the token. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && 'code' in cause) return String(cause.code);
  return error instanceof Error ? error.name : 'unknown';
}

function parse(text: string): JsonObject | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    return isJsonObject(answer) ? answer : undefined;
  } catch {
    return undefined;
  }
}

function raise(error: Error): never {
  throw error;
}
