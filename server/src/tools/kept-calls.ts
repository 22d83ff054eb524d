import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sender } from '../platform/actor.ts';
import type { TenantDb } from '../platform/db/queryable.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { openedOr } from '../secrets/unreadable.ts';
import type { CallRecords } from './call-records.port.ts';
import {
  claimCall,
  findCall,
  finishCall,
  type KeptCall,
  lockCalls,
  loseCall,
  makeAgain,
  messageExists,
  releaseCall,
} from './kept-calls.db.ts';

const LOOK_EVERY_MS = 250;
/** For what a call needs beside the server's time. */
const SPARE_SECONDS = 15;

export interface KeptCallServices {
  keyring: Keyring;
  callRecords: CallRecords;
  settings: { host_id: string };
}

/** Its value is kept as JSON. */
interface Outcome {
  /** `no`: the server was not reached. `unknown`: it may have done the work. */
  isMade: 'yes' | 'no' | 'unknown';
}

interface OneCall<T extends Outcome> {
  name: string;
  args: JsonObject;
  /** The longest that it may take. */
  timeout_seconds: number;
  /** Aborted when the caller leaves. The call goes on then, because its message may come again. */
  signal: AbortSignal | undefined;
  make: (idempotency_key: string) => Promise<T>;
  /** True for a tool that may be called again after an unknown outcome. */
  isRepeatable: () => Promise<boolean>;
  unknown: T;
  /** Nothing more can be kept for the message, so the call is not made. */
  refused: T;
}

/**
 * Makes a call once for a message (contract, section 14): a later try of the message gets the result that there is, and waits
 * for it while the call is under way. A call whose outcome nobody knows is not repeated, unless its tool allows it.
 */
export async function callOnce<T extends Outcome>(
  services: KeptCallServices,
  q: TenantDb,
  { message_id, try_id }: NonNullable<Sender['burst']>,
  call: OneCall<T>,
): Promise<T> {
  const { callRecords, settings } = services;
  const hashOf = (args: unknown) => callRecords.fingerprint(q.tenant_id, call.name, args);
  const call_hash = hashOf(call.args) ?? hashOf(JSON.stringify(call.args)) ?? call.name;
  const timeout_seconds = call.timeout_seconds + SPARE_SECONDS;
  const id = randomUUID();
  const asked = { id, message_id, try_id, call_hash, host_id: settings.host_id, timeout_seconds };
  let { kept } = await q.run({ lock: lockCalls(asked), kept: claimCall(asked) });
  // Without the message there is nothing that could come again.
  if (!kept) return (await q.run(messageExists(message_id))) ? call.refused : call.make(id);
  if (kept.id === id) return makeKept(services, q, id, call);
  while (kept && !call.signal?.aborted) {
    if (kept.outcome === 'answered') return readResult(services, q, kept, call);
    if (kept.outcome === 'unknown') {
      if (!(await call.isRepeatable())) return call.unknown;
      if (await q.run(makeAgain(kept.id, asked))) return makeKept(services, q, kept.id, call);
    }
    await sleep(LOOK_EVERY_MS);
    kept = await q.run(findCall(kept.id));
  }
  // Released: the other try could not make it.
  return kept ? call.unknown : callOnce(services, q, { message_id, try_id }, call);
}

async function makeKept<T extends Outcome>(
  { keyring }: KeptCallServices,
  q: TenantDb,
  id: string,
  { make }: OneCall<T>,
): Promise<T> {
  try {
    const outcome = await make(id);
    if (outcome.isMade === 'no') await q.run(releaseCall(id));
    else if (outcome.isMade === 'unknown') await q.run(loseCall(id));
    else await q.run(finishCall(id, await keyring.seal(q, JSON.stringify(outcome), contextOf(id))));
    return outcome;
  } catch (error) {
    await q.run(loseCall(id));
    throw error;
  }
}

async function readResult<T extends Outcome>(
  { keyring }: KeptCallServices,
  q: TenantDb,
  { id, sealed_result }: KeptCall,
  { unknown }: OneCall<T>,
): Promise<T> {
  const text = sealed_result && (await openedOr(keyring.open(q, sealed_result, contextOf(id)), null));
  return text === null ? unknown : (JSON.parse(text) as T);
}

const contextOf = (id: string) => `kept-call:${id}`;
