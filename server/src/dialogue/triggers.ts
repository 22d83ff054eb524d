import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { Cron } from 'croner';
import { isOptedOut } from '../channels/opt-outs.ts';
import { mergeLayers } from '../conversations/config-layers.ts';
import { beginConversation, setIdentity } from '../conversations/conversations.db.ts';
import { sealContent } from '../conversations/message-content.ts';
import { TRIGGER } from '../conversations/messages.db.ts';
import { queueSystemMessage } from '../conversations/system-messages.db.ts';
import { findCountry } from '../customers/customers.db.ts';
import { matchesOf, numberIn } from '../identities/phone-numbers.ts';
import { setTriggersSince } from '../instances/deployments.db.ts';
import type { TenantDb, TenantTx } from '../platform/db/queryable.ts';
import { dayOnOrAfter, mayComeBetween } from '../recipes/fields/cron-times.ts';
import { readTriggers, type Trigger } from '../recipes/fields/trigger-templates.ts';
import type { Keyring } from '../secrets/keyring.ts';
import {
  type Addressee,
  claimRun,
  findAddressee,
  findConversationWith,
  findTriggers,
  forgetRuns,
  noteFailedRun,
  type TriggeredDeployment,
} from './triggers.db.ts';

/** Times missed for longer are given up, and so are triggers that a runtime does not take for longer. */
const LATE_MINUTES = 60;
const GIVEN_UP = `said nothing: the instance did not run within ${LATE_MINUTES} minutes of its time`;

export interface TriggerServices {
  keyring: Keyring;
}

/**
 * The job of a deployment: fires the triggers that are due, once even when several times of a trigger were missed. While the
 * instance does not run they stay due for an hour; a time that is given up is an event of the instance.
 * @returns when to look again: the next time, at the latest in a day; undefined without triggers
 */
export async function fireTriggers(
  services: TriggerServices,
  q: TenantDb,
  deployment_id: string,
): Promise<Date | undefined> {
  const { now } = q;
  const deployment = await q.run(findTriggers(deployment_id));
  if (!deployment) return undefined;
  const triggers = readTriggers(mergeLayers(deployment));
  const isRunning = deployment.instance_status === 'running' && deployment.is_active;
  let next = new Date(now.getTime() + LOOK_AHEAD_MS);
  for (const trigger of triggers) {
    // Others have a turn between two triggers.
    await setImmediate();
    const at = lastTime(trigger, deployment, now);
    const late_at = at && new Date(at.getTime() + LATE_MINUTES * 60_000);
    if (late_at && late_at <= now) await giveUp(q, deployment, trigger, at);
    else if (at && isRunning) await fire(services, q, deployment, trigger, at);
    else if (late_at && late_at < next) next = late_at;
    const time = nextTime(trigger, deployment, now, next);
    if (time) next = time;
  }
  if (isRunning) await q.run(setTriggersSince(deployment_id, now));
  await q.run(forgetRuns(deployment_id));
  return triggers.length === 0 ? undefined : next;
}

/** The job looks at its triggers at least once a day, so that no search goes further. */
const DAY_MS = 24 * 3_600_000;
const LOOK_AHEAD_MS = DAY_MS;
const LOOK_BACK_MS = 2 * LOOK_AHEAD_MS;

/** The trigger's next time if it comes before another. */
function nextTime(
  { schedule }: Trigger,
  deployment: TriggeredDeployment,
  now: Date,
  before: Date,
): Date | undefined {
  if (!mayComeBetween(schedule, now, before)) return undefined;
  const at = cronOf(schedule, deployment).nextRun(now);
  return at && at < before ? at : undefined;
}

/** Once for a time. */
async function giveUp(
  q: TenantDb,
  { id: deployment_id, instance_id }: TriggeredDeployment,
  { name }: Trigger,
  at: Date,
): Promise<void> {
  const run = { deployment_id, name, at };
  await q.transaction(async (tx) => {
    if (!(await tx.run(claimRun(run)))) return;
    await tx.run(noteFailedRun(run, instance_id, `The trigger "${name}" ${GIVEN_UP}`));
  });
}

/** Cron handles daylight saving time. */
const cronOf = (schedule: string, { timezone }: Pick<TriggeredDeployment, 'timezone'>) =>
  new Cron(schedule, { timezone, mode: '5-part', paused: true });

/** null: never again. The library's search begins at the day that arithmetic finds, because it goes through years slowly. */
export function nextTimeOf(schedule: string, timezone: string, now: Date): Date | null {
  // A day of another time zone begins up to a day earlier.
  const day = dayOnOrAfter(schedule, new Date(now.getTime() - DAY_MS));
  const from = day && new Date(Math.max(now.getTime(), day.getTime() - DAY_MS));
  return from ? cronOf(schedule, { timezone }).nextRun(from) : null;
}

/** The last due time of a trigger since the job's last run while the instance ran. */
export function lastTime(
  { schedule }: Pick<Trigger, 'schedule'>,
  deployment: Pick<TriggeredDeployment, 'timezone' | 'triggers_since'>,
  now: Date,
): Date | undefined {
  const since = Math.max(deployment.triggers_since.getTime(), now.getTime() - LOOK_BACK_MS);
  if (!mayComeBetween(schedule, new Date(since), now)) return undefined;
  // previousRuns excludes the given time.
  const [at] = cronOf(schedule, deployment).previousRuns(1, new Date(now.getTime() + 1));
  return at && at > deployment.triggers_since && at <= now ? at : undefined;
}

/** Claims the time and queues the prompt in one transaction, so that the agent gets it once. */
async function fire(
  { keyring }: TriggerServices,
  q: TenantDb,
  deployment: TriggeredDeployment,
  { name, prompt, to, template }: Trigger,
  at: Date,
): Promise<void> {
  const { id: deployment_id, instance_id, customer_id } = deployment;
  const run = { deployment_id, name, at };
  const country = await q.run(findCountry(customer_id));
  const spellings = matchesOf('chatapp', to, [country]);
  const number = numberIn(to, country);
  const addressee = await q.run(findAddressee(customer_id, spellings));
  const hasOptedOut =
    addressee !== undefined &&
    (await isOptedOut(
      keyring,
      q,
      { customer_id, channel: addressee.channel },
      { addresses: [number ?? addressee.address], identity_id: addressee.identity_id },
    ));
  const id = randomUUID();
  const sealed_content = await sealContent(keyring, q, id, { text: prompt, ...(template && { template }) });
  await q.transaction(async (tx) => {
    if (!(await tx.run(claimRun(run)))) return;
    const place = hasOptedOut
      ? { refusal: '`to` has written STOP' }
      : addressee && (await placeOf(tx, deployment, addressee, { spellings, number }));
    if (place === undefined || 'refusal' in place) {
      const why =
        place?.refusal ?? '`to` is the address of no identity and no verified worker of the customer';
      await tx.run(noteFailedRun(run, instance_id, `The trigger "${name}" said nothing: ${why}`));
      return;
    }
    const message = {
      id,
      ...place,
      kind: TRIGGER,
      message_id: id,
      sealed_content,
      tried_minutes: LATE_MINUTES,
    };
    await tx.run(queueSystemMessage(message));
  });
}

async function placeOf(
  tx: TenantTx,
  { instance_id, customer_id }: TriggeredDeployment,
  { channel, address, identity_id }: Addressee,
  { spellings, number }: { spellings: readonly string[]; number: string | undefined },
): Promise<{ conversation_id: string } | { refusal: string }> {
  const place = { instance_id, customer_id, channel };
  const known = await tx.run(findConversationWith(place, { spellings, identity_id }));
  if (known !== undefined) return { conversation_id: known };
  // As the channel spells it, not as people do.
  const phone = number ?? null;
  const begun = await tx.run(beginConversation(place, { external_id: phone ?? address, phone }));
  if (begun !== undefined && identity_id !== null) await tx.run(setIdentity(begun, identity_id));
  return begun === undefined
    ? { refusal: `the instance has no number in the channel ${channel}` }
    : { conversation_id: begun };
}
