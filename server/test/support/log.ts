import type { Log } from '../../src/platform/ports.ts';

export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };
