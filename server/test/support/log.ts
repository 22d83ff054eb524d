import type { Log } from '../../src/ports.ts';

export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };
