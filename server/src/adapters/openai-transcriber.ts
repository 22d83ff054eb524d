import OpenAI, { APIError, toFile } from 'openai';
import type { Recording, Transcriber } from '../dialogue/transcriber.port.ts';
import { NotBilled } from '../models/recordings.port.ts';
import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';
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
  readonly model: string;

  constructor({ base_url, api_key, model }: TranscriberOptions) {
    this.model = model;
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

  async transcribe(
    { bytes, mime_type }: Recording,
    signal: AbortSignal,
  ): ReturnType<Transcriber['transcribe']> {
    const type = mime_type?.split(';')[0]?.trim() ?? 'audio/ogg';
    const file = await toFile(bytes, `voice.${EXTENSIONS[type] ?? 'ogg'}`, { type });
    const answer = this.#client.audio.transcriptions.create({ model: this.model, file }, { signal });
    const transcript: unknown = await answer.catch((error: unknown) => {
      // Without a cause: the client's errors quote the response.
      if (error instanceof APIError && error.status !== undefined) throw new NotBilled(reasonOf(error));
      throw new Error(signal.aborted ? 'no response in time' : reasonOf(error));
    });
    if (!isJsonObject(transcript) || typeof transcript.text !== 'string')
      throw new Error('the response has no text');
    return { text: transcript.text, seconds: secondsIn(transcript) };
  }
}

const MOST_SECONDS = 86_400;

/** Endpoints tell it as `usage: {type: 'duration', seconds}` or as `duration`. */
function secondsIn({ usage, duration }: JsonObject): number | null {
  const told = isJsonObject(usage) && usage.type === 'duration' ? usage.seconds : duration;
  return typeof told === 'number' && told >= 0 ? Math.min(told, MOST_SECONDS) : null;
}

function reasonOf(error: unknown): string {
  if (error instanceof APIError && error.status !== undefined) return `answered with ${error.status}`;
  return error instanceof Error ? error.constructor.name : 'unknown';
}
