import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError, BadRequestError } from 'openai';
import { signalAfter } from '../platform/signal-after.ts';
import {
  type LanguageModel,
  type LanguageModelAnswer,
  type LanguageModelRequest,
  Unbilled,
} from '../recipes/language-model.port.ts';
import { boundedFetch } from './bounded-fetch.ts';

/** Includes the second attempt (contract, section 4). */
const TIMEOUT_MS = 30_000;
/** Far more than a draft has. */
const MAX_ANSWER_BYTES = 1024 * 1024;

interface LanguageModelOptions {
  base_url: string;
  api_key: string;
  model: string;
  timeoutMs?: number;
}

/** Chat completions at any OpenAI-compatible endpoint. */
export class OpenAiLanguageModel implements LanguageModel {
  readonly #client: OpenAI;
  readonly model: string;
  readonly #timeoutMs: number;

  constructor({ base_url, api_key, model, timeoutMs = TIMEOUT_MS }: LanguageModelOptions) {
    this.model = model;
    this.#timeoutMs = timeoutMs;
    this.#client = new OpenAI({
      baseURL: base_url,
      // The client requires a key; local endpoints need none.
      apiKey: api_key || 'none',
      organization: null,
      project: null,
      // The client's retries would wait as long as the endpoint's Retry-After.
      maxRetries: 0,
      timeout: timeoutMs,
      logLevel: 'off',
      fetch: boundedFetch(MAX_ANSWER_BYTES),
    });
  }

  complete(request: LanguageModelRequest): Promise<LanguageModelAnswer> {
    const signal = signalAfter(this.#timeoutMs);
    const answer = this.#ask(request, true, signal).catch((error: unknown) => {
      if (!(error instanceof BadRequestError)) throw error;
      // Some endpoints refuse a schema.
      return this.#ask(request, false, signal);
    });
    // Node's fetch ignores the signal while it reads a response that it cannot decompress.
    return Promise.race([answer, rejectionBy(signal)]).catch((error: unknown) => {
      // Without a cause: the client's errors quote the response.
      if (signal.aborted) throw new Error(`No response within ${this.#timeoutMs / 1000} s`);
      throw new (isRefusal(error) ? Unbilled : Error)(reasonOf(error));
    });
  }

  async #ask(
    { instructions, input, schema }: LanguageModelRequest,
    withSchema: boolean,
    signal: AbortSignal,
  ): Promise<LanguageModelAnswer> {
    const completion = await this.#client.chat.completions.create(
      {
        model: this.model,
        messages: [
          { role: 'system', content: instructions },
          { role: 'user', content: input },
        ],
        ...(withSchema && {
          response_format: { type: 'json_schema', json_schema: { ...schema, strict: true } },
        }),
      },
      { signal },
    );
    const content: unknown = completion?.choices?.[0]?.message?.content;
    if (typeof content !== 'string') throw new NoContent();
    return { text: content, usage: completion.usage };
  }
}

class NoContent extends Error {}

/** The endpoint answered with an error's status, or was not reached. */
const isRefusal = (error: unknown): boolean =>
  error instanceof APIError &&
  !(error instanceof APIConnectionTimeoutError) &&
  (error.status !== undefined || error instanceof APIConnectionError);

const rejectionBy = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

function reasonOf(error: unknown): string {
  if (error instanceof NoContent) return 'The response has no content';
  if (error instanceof APIError && error.status !== undefined) return `Answered with ${error.status}`;
  return error instanceof Error ? error.constructor.name : 'unknown';
}
