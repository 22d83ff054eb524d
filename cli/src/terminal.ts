import type { Readable, Writable } from 'node:stream';

interface Screen extends Writable {
  readonly isTTY?: boolean;
  /** Its width, on a terminal. */
  readonly columns?: number;
}

/** The standard streams of one command; `process` is one. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Screen;
  readonly stderr: Screen;
}
