/** Serialized JSON that is sent as it is, such as a row that the database wrote as JSON. */
export class JsonText<T> {
  /** Text, or its UTF-8 bytes where it is kept to be sent again. */
  readonly content: string | Buffer;
  /** Never present; carries the type of the value, for inference. */
  readonly value?: T;

  constructor(content: string | Buffer) {
    this.content = content;
  }

  get bytes(): number {
    return Buffer.byteLength(this.content);
  }

  get text(): string {
    return this.content.toString();
  }

  parse(): T {
    return JSON.parse(this.text) as T;
  }

  toJSON(): T {
    return this.parse();
  }
}
