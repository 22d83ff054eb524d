export interface End {
  /** null: ended by a signal, or not a child of this process. */
  readonly exit_code: number | null;
  /** `code 1`, `SIGKILL` or `gone`. */
  readonly how: string;
  readonly reason: 'crashed' | 'out_of_memory';
}

/** A spawned or adopted runtime. */
export interface RuntimeProcess {
  readonly pid: number;
  /** See Network.addressOf. */
  readonly address: string;
  /** Resolves when it is gone and its process group was killed. */
  readonly ended: Promise<End>;
  /** The log's last line, with values of the environment redacted; may be empty. Absent for an adopted one. */
  readonly lastLine?: () => Promise<string>;
  /** Sends SIGTERM, and SIGKILL after 6 s. Resolves when it is gone. */
  end(): Promise<void>;
}
