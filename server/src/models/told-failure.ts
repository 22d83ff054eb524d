import { isJsonObject, type JsonObject } from '../platform/json/json-object.ts';
import type { TokenCounts } from './llm-calls.db.ts';

/** An answer that cannot be read, or that breaks off. */
export class BadAnswer extends Error {}

/** Ends a stream: the reason that the caller is told. */
export class StreamEnd extends Error {
  readonly code: 'stream_broken' | 'output_limit' | 'timeout';

  constructor(code: StreamEnd['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** A provider's failure that came with the status of an answer. */
export class ToldFailure extends Error {
  /** As the provider has it. */
  readonly told: unknown;
  readonly counts: TokenCounts | undefined;
  /** The model may have begun. */
  readonly mayCost: boolean;

  constructor(told: unknown, counts?: TokenCounts, mayCost = false) {
    super('The model’s provider failed');
    this.told = told;
    this.counts = counts;
    this.mayCost = mayCost;
  }
}

const saysNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === '' ||
  (isJsonObject(value) && Object.keys(value).length === 0);

/** The part of an answer or of an event that tells a failure. */
export function failureIn(answer: JsonObject): unknown {
  const { error, object, base_resp, success, choices } = answer;
  if (!saysNothing(error) || object === 'error' || success === false) return answer;
  if (isJsonObject(base_resp) && !saysNothing(base_resp.status_code) && base_resp.status_code !== 0)
    return answer;
  const ofChoices = Array.isArray(choices) ? choices.filter(isJsonObject) : [];
  return ofChoices.find((choice) => !saysNothing(choice.error));
}
