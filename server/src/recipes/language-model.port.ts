export interface LanguageModelRequest {
  /** What the model is to do. */
  instructions: string;
  /** What it is to do it with: data, apart from the instructions. */
  input: string;
  /** The JSON Schema of the answer; models that cannot be held to one are only told. */
  schema: { name: string; schema: Record<string, unknown> };
}

export interface LanguageModel {
  /**
   * The model's answer as it wrote it, to be judged by the caller. Rejects when there is none within 30 seconds, with
   * a message that can be logged.
   */
  complete(request: LanguageModelRequest): Promise<string>;
}
