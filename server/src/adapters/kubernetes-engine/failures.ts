import type { RuntimeReason } from '../../runtimes/engine.port.ts';

/** The API server gave no answer: it is away, silent, or its answer is none of Kubernetes. */
export class ClusterUnreachable extends Error {}

/** A watch that had begun broke off. */
export class WatchBroken extends Error {}

/** The API server answered with an error. The message is its own, shortened. */
export class ClusterRefusal extends Error {
  readonly status: number;
  /** AlreadyExists, Conflict, Forbidden, Expired and others; may be empty. */
  readonly reason: string;
  readonly retryAfterMs: number | undefined;

  constructor(status: number, reason: string, message: string, retryAfterMs?: number) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }

  /** The version that a watch or the next page begins at is gone. */
  get isExpired(): boolean {
    return this.status === 410;
  }

  get isBusy(): boolean {
    return this.status === 429;
  }
}

/** Ends or delays a start. The message is for the log and contains no secret. */
export class StartFailure extends Error {
  /** null: another try comes so soon that there is nothing to tell. */
  readonly reason: RuntimeReason | null;
  readonly isFinal: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(
    reason: RuntimeReason | null,
    message: string,
    more: { isFinal?: boolean; retryAfterMs?: number | undefined } = {},
  ) {
    super(message);
    this.reason = reason;
    this.isFinal = more.isFinal ?? false;
    this.retryAfterMs = more.retryAfterMs;
  }
}

/** @param message without secrets */
export function startFailureOf(error: unknown, message: string): StartFailure {
  if (error instanceof StartFailure) return error;
  if (error instanceof ClusterUnreachable) return new StartFailure('cluster_unreachable', message);
  if (error instanceof ClusterRefusal) return refusalOf(error, message);
  return new StartFailure('crashed', message, { isFinal: true });
}

function refusalOf({ status, reason, message: said, retryAfterMs }: ClusterRefusal, message: string) {
  if (status === 403 && /exceeded quota/i.test(said))
    return new StartFailure('unschedulable', message, { retryAfterMs });
  // Two that count against one quota at once: the API server asks to try again.
  if (status === 409 || status === 429) return new StartFailure(null, message, { retryAfterMs });
  // The token may have been rotated a moment ago.
  if (status === 401 || status >= 500)
    return new StartFailure('cluster_unreachable', message, { retryAfterMs });
  return new StartFailure(reason === 'AlreadyExists' ? 'name_taken' : 'spec_rejected', message, {
    isFinal: true,
  });
}
