/** Serialized JSON that is sent unchanged, such as a row from the database. */
export class JsonText<T> {
  /** UTF-8 bytes if it is sent repeatedly. */
  readonly content: string | Buffer;
  /** Type only, for inference. */
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
