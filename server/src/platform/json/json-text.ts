/** Up to this size JSON is sent in one piece with a Content-Length. */
const WHOLE_BYTES = 32 * 1024 * 1024;

const sizeOf = (pieces: readonly Buffer[]): number => pieces.reduce((sum, { length }) => sum + length, 0);

/** Serialized JSON that passes from the database to the client without being parsed. */
export class JsonText<T> {
  /** Text, or UTF-8 bytes for JSON that is cached; pieces for JSON longer than a string can be. */
  readonly content: string | Buffer | readonly Buffer[];
  /** Never present; carries the parsed type for inference. */
  readonly value?: T;

  constructor(content: string | Buffer | readonly Buffer[]) {
    this.content = content;
  }

  /** From pieces of one text. */
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
