import OpenAI, { APIError, toFile } from 'openai';
import type { Recording, Transcriber } from '../dialogue/transcriber.port.ts';
import { boundedFetch } from './bounded-fetch.ts';

/** Far more than the text of the longest voice note. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** Endpoints take the format from the file's extension. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'audio/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/aac': 'aac',
  'audio/amr': 'amr',
  'audio/wav': 'wav',
  'audio/webm': 'webm',
};

interface TranscriberOptions {
  base_url: string;
  api_key: string;
  model: string;
}

/** `POST /audio/transcriptions` at any OpenAI-compatible endpoint. */
export class OpenAiTranscriber implements Transcriber {
  readonly #client: OpenAI;
  readonly #model: string;

  constructor({ base_url, api_key, model }: TranscriberOptions) {
    this.#model = model;
    this.#client = new OpenAI({
      baseURL: base_url,
      // The client requires a key; local endpoints need none.
      apiKey: api_key || 'none',
      organization: null,
      project: null,
      maxRetries: 0,
      logLevel: 'off',
      fetch: boundedFetch(MAX_ANSWER_BYTES),
    });
  }

  async transcribe({ bytes, mime_type }: Recording, signal: AbortSignal): Promise<string> {
    const type = mime_type?.split(';')[0]?.trim() ?? 'audio/ogg';
    const file = await toFile(bytes, `voice.${EXTENSIONS[type] ?? 'ogg'}`, { type });
    const answer = this.#client.audio.transcriptions.create({ model: this.#model, file }, { signal });
    const { text } = await answer.catch((error: unknown) => {
      // Without a cause: the client's errors quote the response.
      throw new Error(signal.aborted ? 'no response in time' : reasonOf(error));
    });
    if (typeof text !== 'string') throw new Error('the response has no text');
    return text;
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof APIError && error.status !== undefined) return `answered with ${error.status}`;
  return error instanceof Error ? error.constructor.name : 'unknown';
}
