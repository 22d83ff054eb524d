import type { RuntimeReason } from '../../runtimes/engine.port.ts';

/** The message is for the log and contains no secret. */
export class LaunchFailure extends Error {
  readonly reason: RuntimeReason;
  /** The runtime's own; may be empty. */
  readonly lastLine: string;

  constructor(reason: RuntimeReason, message: string, lastLine = '') {
    super(message);
    this.reason = reason;
    this.lastLine = lastLine;
  }
}
