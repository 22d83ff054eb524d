import type { LoggerOptions } from 'pino';

/** One JSON line for each event; times in ISO 8601; what looks like a secret is not written even by mistake. */
export const loggerOptions = (level: string): LoggerOptions => ({
  level,
  base: null,
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
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
