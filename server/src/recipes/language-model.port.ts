export interface LanguageModelRequest {
  /** The task of the model. */
  instructions: string;
  /** The data of the task, apart from the instructions. */
  input: string;
  /** The JSON Schema of the answer; models without structured output only read it. */
  schema: { name: string; schema: Record<string, unknown> };
}

export interface LanguageModel {
  /**
   * Returns the model's text, which the caller has to check. Rejects when there is no answer within 30 seconds, with a
   * message that can be logged.
   */
  complete(request: LanguageModelRequest): Promise<string>;
}
