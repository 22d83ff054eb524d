import type { Log } from '../../src/domain/ports.ts';

export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };
