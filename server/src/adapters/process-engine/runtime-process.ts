/** A runtime that was spawned or taken over. */
export interface RuntimeProcess {
  readonly pid: number;
  readonly port: number;
  /** http://127.0.0.1:<port> */
  readonly address: string;
  /** Resolves when it is gone, and what it left of its process group with it; says how, e.g. `code 1`, `SIGKILL`. */
  readonly ended: Promise<string>;
  /** SIGTERM, SIGKILL after 6 s. Resolves when it is gone. */
  end(): Promise<void>;
}

export function addressOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}
