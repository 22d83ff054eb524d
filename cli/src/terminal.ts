import type { Readable, Writable } from 'node:stream';

interface Screen extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** The standard streams; `process` is one. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Screen;
  readonly stderr: Screen;
}
