export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Only ids, counts and outcomes: no secrets, PINs, message texts, addresses or error messages. */
type LogFields = Record<string, string | number | boolean | null | undefined>;
export type Log = Record<LogLevel, (event: string, fields?: LogFields) => void>;

/** One JSON line per event: `{"at","level","event",…fields}`. */
export function createLog(threshold: LogLevel, write: (line: string) => void): Log {
  const at =
    (level: LogLevel) =>
    (event: string, fields: LogFields = {}) => {
      if (logLevels.indexOf(level) < logLevels.indexOf(threshold)) return;
      write(`${JSON.stringify({ at: new Date().toISOString(), level, event, ...fields })}\n`);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Without the message, which may quote the request. */
export const errorName = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/** The code of the error or its cause, such as `ECONNREFUSED`; else the name. */
export function reasonOf(error: unknown): string {
  const causes = [error, error instanceof Error ? error.cause : undefined];
  const codes = causes.map((one) => (one instanceof Error && 'code' in one ? one.code : undefined));
  return codes.find((code) => typeof code === 'string') ?? errorName(error);
}
