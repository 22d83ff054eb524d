import type { RuntimeReason } from '../../runtimes/engine.port.ts';

/** The message is for the log and contains no secret. */
export class LaunchFailure extends Error {
  readonly reason: RuntimeReason;

  constructor(reason: RuntimeReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
