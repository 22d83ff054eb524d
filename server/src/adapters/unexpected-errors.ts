import type { Log } from '../platform/ports.ts';

/**
 * Logs an error that nothing caught, also of a promise that nobody awaits, and ends the process with the status 1. Node would
 * end it as well, with the error unescaped beside the log. The next start recovers, as after a kill.
 */
export function endOnUnexpectedErrors(log: Log): void {
  const end = (err: unknown, origin: string) => {
    log.error({ err, origin }, 'the process ends: nothing expected this error');
    process.exit(1);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', (reason) => end(reason, 'unhandledRejection'));
}
