import type { TenantQueryable } from '../platform/db/queryable.ts';

export interface LanguageModelRequest {
  instructions: string;
  /** The data, separate from the instructions. */
  input: string;
  /** A JSON Schema. Models without structured output only read it. */
  schema: { name: string; schema: Record<string, unknown> };
}

export interface LanguageModelAnswer {
  text: string;
  /** As the provider tells it. */
  usage: unknown;
}

/** The provider was not reached, or refused, which costs nothing. */
export class Unbilled extends Error {}

export interface LanguageModel {
  /** As the provider names it. */
  readonly model: string;
  /**
   * Returns text that may not match the schema. Rejects without an answer within 30 seconds, with a message that is
   * safe to log.
   */
  complete(request: LanguageModelRequest): Promise<LanguageModelAnswer>;
}

export interface LanguageModelMeter {
  /** Asks the model where the tenant's budget has room, and stores the usage. Rejects with a ServiceError without room. */
  complete(q: TenantQueryable, model: LanguageModel, request: LanguageModelRequest): Promise<string>;
}
