export interface LanguageModelRequest {
  instructions: string;
  /** The data, separate from the instructions. */
  input: string;
  /** A JSON Schema. Models without structured output only read it. */
  schema: { name: string; schema: Record<string, unknown> };
}

export interface LanguageModel {
  /**
   * Returns text that may not match the schema. Rejects without an answer within 30 seconds, with a message that is
   * safe to log.
   */
  complete(request: LanguageModelRequest): Promise<string>;
}
