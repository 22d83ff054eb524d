import { formatWithOptions } from 'node:util';
import { type DestinationStream, type LoggerOptions, pino, stdSerializers } from 'pino';

/** Other properties of errors may contain secrets, such as pg's refused row or connection. */
function loggedError(error: unknown): unknown {
  if (typeof error !== 'object' || error === null || !('message' in error)) return undefined;
  const { type, message, stack } = stdSerializers.err(error as Error);
  const errors = error instanceof AggregateError ? error.errors.map(errorMessage) : undefined;
  return { type, message, stack, code: 'code' in error ? error.code : undefined, errors };
}

const errorMessage = (error: unknown) => (error instanceof Error ? error.message : undefined);

/** Terminals act on these, and JSON leaves them: C1 controls, line separators, and marks that turn text around. */
const CONTROLS = /[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** JSON means the same afterwards. */
const escapeControls = (json: string): string =>
  json.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);

const MAX_CONSOLE_LENGTH = 2000;

/** Output of libraries on the console becomes lines of the log, because it may quote a stranger. */
export function logConsole(log: { warn: (fields: object, message: string) => void }): void {
  const write = (...values: unknown[]) => {
    const text = formatWithOptions({ colors: false, depth: 3 }, ...values).slice(0, MAX_CONSOLE_LENGTH);
    log.warn({ text: text.toWellFormed() }, 'a library wrote to the console');
  };
  for (const method of ['log', 'info', 'debug', 'warn', 'error', 'trace', 'dir'] as const)
    console[method] = write;
}

/**
 * One JSON line per event with ISO 8601 times. Redaction is a second line of defence, because secrets are never logged.
 */
export const loggerOptions = (level: string): LoggerOptions => ({
  level,
  base: null,
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
  serializers: { err: loggedError },
  formatters: { level: (label) => ({ level: label }) },
  hooks: { streamWrite: escapeControls },
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
  const shown = process.stdout.isTTY ? forTerminal : (line: string) => line;
  return { write: (line) => void blocks.write(Buffer.from(shown(line))) };
}

/** A person reads `09:30:00 request create_recipe 201 12 ms` beside the addresses; programs get the JSON. */
export function forTerminal(line: string): string {
  const { time, level, msg, err, reqId, tenant_id, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const at = String(time).slice(11, 19);
  const { operation, method, status, duration_ms } = fields;
  if (msg === 'request') return `${[at, method, operation, status, duration_ms].join(' ')} ms\n`;
  const cause = err === undefined ? {} : { error: (err as { message?: unknown }).message };
  const ids = level === 'info' ? {} : { reqId, tenant_id };
  const named = Object.entries({ ...fields, ...cause, ...ids })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeControls(JSON.stringify(value))}`);
  return `${[at, level, msg, ...named].join(' ')}\n`;
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
