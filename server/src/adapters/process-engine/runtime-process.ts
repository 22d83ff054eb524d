import type { ProcessKey } from './proc.ts';

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
  readonly port: number;
  /** See addressOf. */
  readonly address: string;
  /** Resolves when it is gone and its process group was killed. */
  readonly ended: Promise<End>;
  /** Sends SIGTERM, and SIGKILL after 6 s. Resolves when it is gone. */
  end(): Promise<void>;
}

/** `http://127.0.0.1:<port>#<pid>.<start time>`. It names the process, because another one may get the port. */
export function addressOf(port: number, { pid, startTime }: ProcessKey): string {
  return `http://127.0.0.1:${port}#${pid}.${startTime}`;
}

/** Throws for an address without a process, as earlier versions stored them. */
export function partsOf({ port, hash }: URL): { port: number; runtime: ProcessKey } {
  const [, pid, startTime = ''] = /^#(\d+)\.(\d+)$/.exec(hash) ?? [];
  if (pid === undefined) throw new Error('The address names no process');
  return { port: Number(port), runtime: { pid: Number(pid), startTime } };
}
