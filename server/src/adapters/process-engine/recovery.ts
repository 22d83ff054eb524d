import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../platform/ports.ts';
import { type Limit, noLimit } from './limits.ts';
import type { MarkedProcess, ServerAddresses, StartedWith } from './marked.ts';
import { machineNetwork, type Network } from './network.ts';
import { isFrom, probe } from './probe.ts';
import { isAlive } from './proc.ts';
import type { End, RuntimeProcess } from './runtime-process.ts';
import { endProcess, sendSignal } from './signals.ts';

const PROBE_TIMEOUT_MS = 2_000;
const WATCH_MS = 500;
const WATCH_WHILE_ENDING_MS = 20;

interface RecoveryOptions {
  log: Log;
  /** See ProcessEngineOptions. */
  graceMs?: number | undefined;
  limitOf: (adopted: MarkedProcess) => Promise<Limit>;
  /** Has the service's end of its network again; undefined for one whose network is not what it has to be. */
  networkOf: (marked: MarkedProcess) => Promise<Network | undefined>;
}

export interface Adopted {
  readonly runtime: RuntimeProcess;
  readonly started: StartedWith;
}

/**
 * Adopts an instance's runtime of an earlier server if it is the only one, healthy and knows the server's current
 * addresses. Ends the instance's other processes; resolves when they are gone.
 */
export async function recoverOne(
  found: readonly MarkedProcess[],
  addresses: ServerAddresses,
  { log, graceMs, limitOf, networkOf }: RecoveryOptions,
): Promise<Adopted | undefined> {
  const leaders = found.filter((marked) => marked.pid === marked.group);
  const only = leaders.length === 1 ? leaders[0] : undefined;
  const network = only && (await networkOf(only));
  const adopted = only && network && (await isUsable(only, network, addresses)) ? only : undefined;
  // Other processes in the adopted runtime's group are its children.
  const ending = found.filter((marked) => marked.group !== adopted?.group);
  await Promise.all(
    ending.map(async (marked) => {
      const { instance_id, pid } = marked;
      log.info({ instance_id, pid }, 'a runtime of an earlier server is ended');
      await adopt(marked, { limit: noLimit, network: machineNetwork(marked.port), graceMs }).end();
    }),
  );
  if (adopted && network) {
    return { runtime: adopt(adopted, { limit: await limitOf(adopted), network, graceMs }), started: adopted };
  }
  network?.end();
  return undefined;
}

async function isUsable(
  marked: MarkedProcess,
  network: Network,
  { base_url, mtls_url }: ServerAddresses,
): Promise<boolean> {
  const knows = marked.base_url === base_url && marked.mtls_url === mtls_url;
  if (network.kind === 'machine' && !knows) return false;
  const answer = await probe(network.addressOf(marked), PROBE_TIMEOUT_MS);
  return answer?.isOk === true && isFrom(answer, marked.instance_id);
}

interface Adopting {
  limit: Limit;
  network: Network;
  graceMs: number | undefined;
}

/** Polls for the end of a process, which is not our child. */
function adopt(found: MarkedProcess, { limit, network, graceMs }: Adopting): RuntimeProcess {
  limit.follow(found);
  const ending = new AbortController();
  const ended = watch(found, { limit, network }, ending.signal);
  return {
    pid: found.pid,
    address: network.addressOf(found),
    ended,
    end: () => {
      ending.abort();
      return endProcess(found, ended, graceMs);
    },
  };
}

async function watch(
  found: MarkedProcess,
  { limit, network }: Pick<Adopting, 'limit' | 'network'>,
  ending: AbortSignal,
): Promise<End> {
  while (isAlive(found)) {
    if (ending.aborted) await sleep(WATCH_WHILE_ENDING_MS);
    // The abort ends the sleep early.
    else await sleep(WATCH_MS, undefined, { signal: ending }).catch(() => {});
  }
  sendSignal(found, 'SIGKILL');
  network.end();
  const reason = (await limit.end()) ? 'out_of_memory' : 'crashed';
  return { exit_code: null, how: 'gone', reason };
}
