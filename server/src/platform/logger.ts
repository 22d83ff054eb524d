import { type DestinationStream, type LoggerOptions, pino, stdSerializers } from 'pino';

/**
 * What is told of an error. Its other properties may hold anything: those of pg's hold the row that was refused, and
 * the connection with its key.
 */
function toldOf(error: unknown): unknown {
  if (typeof error !== 'object' || error === null || !('message' in error)) return undefined;
  const { type, message, stack } = stdSerializers.err(error as Error);
  const errors = error instanceof AggregateError ? error.errors.map(wordsOf) : undefined;
  return { type, message, stack, code: 'code' in error ? error.code : undefined, errors };
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : undefined);

/** One JSON line for each event; times in ISO 8601; what looks like a secret is not written even by mistake. */
export const loggerOptions = (level: string): LoggerOptions => ({
  level,
  base: null,
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
  serializers: { err: toldOf },
  formatters: { level: (label) => ({ level: label }) },
  redact: {
    paths: [
      '*.authorization',
      '*["x-api-key"]',
      '*.password',
      '*.credentials',
      '*.app_secret',
      '*.pin',
      '*.environment',
    ],
    censor: '[redacted]',
  },
});

/** In bytes. */
const BLOCK = 32 * 1024;
const WAITING = 8 * 1024 * 1024;

/**
 * Standard output, written in blocks: a write for each line would be a good part of the cost of a cheap request. Lines
 * wait for 100 ms at the most; pino writes what is left when the process ends. They wait as bytes, because text that
 * waits is measured anew with each line that comes (16 KB on average).
 */
export function standardOutput(): DestinationStream {
  const options = {
    dest: 1,
    sync: false,
    minLength: BLOCK,
    maxWrite: 2 * BLOCK,
    periodicFlush: 100,
    // Lines that come while nothing can be written (a full disk, a reader that stands still) are dropped past this.
    maxLength: WAITING,
  } as const;
  const destination = pino.destination({ ...options, contentMode: 'buffer' });
  surviveFailure(destination);
  // In this mode it takes bytes, which its types do not tell.
  const blocks = destination as unknown as { write(bytes: Buffer): boolean };
  return { write: (line) => void blocks.write(Buffer.from(line)) };
}

/**
 * A full disk or a terminal that went away ends nothing: unheard, the error would end the process. What waits is tried
 * again with the next line, but not when the process ends, where the library tries for ever.
 */
function surviveFailure(destination: ReturnType<typeof pino.destination>): void {
  const flush = destination.flushSync.bind(destination);
  let isFailing = false;
  destination.on('error', () => void (isFailing = true));
  // Also nothing is written now and then, and succeeds.
  destination.on('write', (bytes) => void (isFailing &&= bytes === 0));
  destination.flushSync = () => {
    if (!isFailing) flush();
  };
}
