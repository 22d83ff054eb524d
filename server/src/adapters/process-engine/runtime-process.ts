/** A spawned or adopted runtime. */
export interface RuntimeProcess {
  readonly pid: number;
  readonly port: number;
  /** http://127.0.0.1:<port> */
  readonly address: string;
  /** Resolves with the reason (`code 1`, `SIGKILL`) when it is gone and its process group was killed. */
  readonly ended: Promise<string>;
  /** Sends SIGTERM, and SIGKILL after 6 s. Resolves when it is gone. */
  end(): Promise<void>;
}

export function addressOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}
