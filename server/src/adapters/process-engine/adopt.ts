import { setTimeout as sleep } from 'node:timers/promises';
import type { MarkedProcess } from './marked.ts';
import { isAlive } from './proc.ts';
import { addressOf, type RuntimeProcess } from './runtime-process.ts';
import { endProcess, sendSignal } from './signals.ts';

const WATCH_MS = 500;
const WATCH_WHILE_ENDING_MS = 20;

/** Watches a process that an earlier server started. It is not our child, so its end has to be looked for. */
export function adopt(found: MarkedProcess): RuntimeProcess {
  const ending = new AbortController();
  const ended = watch(found, ending.signal);
  return {
    pid: found.pid,
    port: found.port,
    address: addressOf(found.port),
    ended,
    end: () => {
      ending.abort();
      return endProcess(found, ended);
    },
  };
}

async function watch(found: MarkedProcess, ending: AbortSignal): Promise<string> {
  while (isAlive(found)) {
    if (ending.aborted) await sleep(WATCH_WHILE_ENDING_MS);
    // woken by the abort, which is no failure
    else await sleep(WATCH_MS, undefined, { signal: ending }).catch(() => {});
  }
  sendSignal(found, 'SIGKILL');
  return 'gone';
}
