import type { Log } from '../../platform/ports.ts';
import { adopt } from './adopt.ts';
import type { MarkedProcess } from './marked.ts';
import { isFrom, probe } from './probe.ts';
import { addressOf, type RuntimeProcess } from './runtime-process.ts';

const PROBE_TIMEOUT_MS = 2_000;

/** What the runtime of an instance has to be to stay; `control_plane` undefined: calls any server. */
export interface Wanted {
  readonly control_plane: string | undefined;
}

/**
 * Takes over the runtime among the processes that an earlier server left of one instance, when it alone is there, is
 * well and is wanted. Ends all others; resolves when they are gone.
 */
export async function recoverOne(
  found: readonly MarkedProcess[],
  wanted: Wanted | undefined,
  log: Log,
): Promise<RuntimeProcess | undefined> {
  const leaders = found.filter((marked) => marked.pid === marked.group);
  const only = leaders.length === 1 ? leaders[0] : undefined;
  const adopted = only && wanted && (await isUsable(only, wanted)) ? only : undefined;
  // what else is in the adopted one's group are its own children
  const ending = found.filter((marked) => marked.group !== adopted?.group);
  await Promise.all(
    ending.map(async (marked) => {
      const { instance_id, pid } = marked;
      log.info({ instance_id, pid }, 'a runtime that an earlier server left is ended');
      await adopt(marked).end();
    }),
  );
  return adopted && adopt(adopted);
}

async function isUsable(marked: MarkedProcess, { control_plane }: Wanted): Promise<boolean> {
  // the server may have come back elsewhere, which a runtime learns at its start alone
  if (control_plane !== undefined && marked.control_plane !== control_plane) return false;
  const answer = await probe(addressOf(marked.port), PROBE_TIMEOUT_MS);
  return answer?.isOk === true && isFrom(answer, marked.instance_id);
}
