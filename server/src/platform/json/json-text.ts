/** So much is sent as a whole, which tells its length. */
const WHOLE_BYTES = 32 * 1024 * 1024;

const sizeOf = (pieces: readonly Buffer[]): number => pieces.reduce((sum, { length }) => sum + length, 0);

/** Serialized JSON, which nobody needs to look into: what the database has as JSON goes to the client untouched. */
export class JsonText<T> {
  /** As text, or as its UTF-8 bytes where it is kept to be sent again; in pieces where it may be longer than a text can be. */
  readonly content: string | Buffer | readonly Buffer[];
  /** Never present; carries the type of what the text says, for inference. */
  readonly value?: T;

  constructor(content: string | Buffer | readonly Buffer[]) {
    this.content = content;
  }

  /** One text that was made piece by piece. */
  static ofPieces<T>(pieces: readonly Buffer[]): JsonText<T> {
    return new JsonText<T>(sizeOf(pieces) <= WHOLE_BYTES ? Buffer.concat(pieces) : pieces);
  }

  get bytes(): number {
    const { content } = this;
    if (typeof content === 'string') return Buffer.byteLength(content);
    return Buffer.isBuffer(content) ? content.length : sizeOf(content);
  }

  get text(): string {
    const { content } = this;
    return (Array.isArray(content) ? Buffer.concat(content as readonly Buffer[]) : content).toString();
  }

  parse(): T {
    return JSON.parse(this.text) as T;
  }

  toJSON(): T {
    return this.parse();
  }
}
