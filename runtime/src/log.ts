export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Ids, counts and outcomes. Never a secret, a PIN, a message's text, an address or an error's message. */
export type LogFields = Record<string, string | number | boolean | null | undefined>;
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

/** What of an error may be logged: its name, since its message may quote what was sent. */
export const errorName = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/** The code of the system or of TLS that an error or its cause has, e.g. `ECONNREFUSED`; else its name. */
export function reasonOf(error: unknown): string {
  const causes = [error, error instanceof Error ? error.cause : undefined];
  const codes = causes.map((one) => (one instanceof Error && 'code' in one ? one.code : undefined));
  return codes.find((code) => typeof code === 'string') ?? errorName(error);
}
