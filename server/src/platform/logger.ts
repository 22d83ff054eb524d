import { type DestinationStream, type LoggerOptions, pino, stdSerializers } from 'pino';

/** Other properties of errors may contain secrets, such as pg's refused row or connection. */
function loggedError(error: unknown): unknown {
  if (typeof error !== 'object' || error === null || !('message' in error)) return undefined;
  const { type, message, stack } = stdSerializers.err(error as Error);
  const errors = error instanceof AggregateError ? error.errors.map(errorMessage) : undefined;
  return { type, message, stack, code: 'code' in error ? error.code : undefined, errors };
}

const errorMessage = (error: unknown) => (error instanceof Error ? error.message : undefined);

/**
 * One JSON line per event with ISO 8601 times. Redaction is a second line of defence, because secrets are never logged.
 */
export const loggerOptions = (level: string): LoggerOptions => ({
  level,
  base: null,
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
  serializers: { err: loggedError },
  formatters: { level: (label) => ({ level: label }) },
  redact: {
    paths: [
      '*.authorization',
      '*["x-api-key"]',
      '*.password',
      '*.current_password',
      '*.new_password',
      '*.admin_password',
      '*.credentials',
      '*.app_secret',
      '*.pin',
      '*.environment',
    ],
    censor: '[redacted]',
  },
});

/** Bytes. */
const BLOCK = 32 * 1024;
const WAITING = 8 * 1024 * 1024;

/**
 * Writes in blocks, because a write per line is a large part of a cheap request's cost. Lines wait at most 100 ms, and
 * are flushed at exit. They wait as bytes, because pino measures waiting text again with each line.
 */
export function standardOutput(): DestinationStream {
  const options = {
    dest: 1,
    sync: false,
    minLength: BLOCK,
    maxWrite: 2 * BLOCK,
    periodicFlush: 100,
    // Beyond this, lines are dropped while writing fails (full disk, stuck reader).
    maxLength: WAITING,
  } as const;
  const destination = pino.destination({ ...options, contentMode: 'buffer' });
  surviveFailure(destination);
  // Pino's types lack the bytes of buffer mode.
  const blocks = destination as unknown as { write(bytes: Buffer): boolean };
  return { write: (line) => void blocks.write(Buffer.from(line)) };
}

/**
 * Survives a full disk or a closed terminal. Waiting lines are retried with the next line, but not at exit, where the
 * library would retry forever.
 */
function surviveFailure(destination: ReturnType<typeof pino.destination>): void {
  const flush = destination.flushSync.bind(destination);
  let isFailing = false;
  destination.on('error', () => void (isFailing = true));
  // Empty writes succeed even while failing.
  destination.on('write', (bytes) => void (isFailing &&= bytes === 0));
  destination.flushSync = () => {
    if (!isFailing) flush();
  };
}
