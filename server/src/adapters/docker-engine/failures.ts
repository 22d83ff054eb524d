import type { RuntimeReason } from '../../runtimes/engine.port.ts';

/** The daemon gave no answer: it is away, silent, or its answer is no answer of Docker's. */
export class DockerUnreachable extends Error {}

/** The daemon answered with an error. The message is its own, shortened. */
export class DockerRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Ends a start, at once or when it still fails after a time. The message is for the log and contains no secret. */
export class StartFailure extends Error {
  readonly reason: RuntimeReason;
  /** The same failure is tried again for this long; 0: it is final. */
  readonly triesForMs: number;

  constructor(reason: RuntimeReason, message: string, triesForMs = 0) {
    super(message);
    this.reason = reason;
    this.triesForMs = triesForMs;
  }
}

/** Programs and limits that the kernel or the container runtime refuses; Docker says 400, Podman 500. */
const REJECTED = /executable file not found|exec format error|no such file or directory|permission denied/i;

/** @param message without secrets */
export function startFailureOf(error: unknown, message: string): StartFailure {
  if (error instanceof StartFailure) return error;
  if (error instanceof DockerUnreachable) return new StartFailure('cluster_unreachable', message, Infinity);
  if (!(error instanceof DockerRefusal)) return new StartFailure('crashed', message);
  const isRejected = error.status === 400 || REJECTED.test(error.message);
  return new StartFailure(isRejected ? 'spec_rejected' : 'unschedulable', message);
}
