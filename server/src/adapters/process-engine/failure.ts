import type { RuntimeReason } from '../../runtimes/engine.port.ts';

/** A runtime did not come up. The message is for the log; it holds no secret. */
export class LaunchFailure extends Error {
  readonly reason: RuntimeReason;

  constructor(reason: RuntimeReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
