import { setImmediate } from 'node:timers/promises';
import { findOptedOut } from '../channels/opt-outs.ts';
import { matchesOf, numberIn } from '../identities/phone-numbers.ts';
import { instanceExists } from '../instances/instances.db.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { LONGEST_PROMPT, readTriggers, type Trigger } from '../recipes/fields/trigger-templates.ts';
import type { Keyring } from '../secrets/keyring.ts';
import {
  findAddressees,
  listLastRuns,
  listTriggeredDeployments,
  listTriggerLists,
  type TriggeredDeployment,
} from './listed-triggers.db.ts';
import { nextTimeOf } from './triggers.ts';

interface Asked {
  instance_id: string;
  page: number;
  per_page: number;
  /** Shows their names. */
  readsCustomers: boolean;
}

/** Lists of deployments that are read at once. */
const LISTS_AT_ONCE = 25;

/** The triggers of all deployments of an instance. Not found for an unknown instance. */
export async function listTriggers(
  { keyring }: { keyring: Keyring },
  q: TenantQueryable,
  { instance_id, page, per_page, readsCustomers }: Asked,
) {
  const { deployments } = await q.run({
    instance: instanceExists(instance_id),
    deployments: listTriggeredDeployments(instance_id, readsCustomers),
  });
  const { shown, total } = await pageOf(q, deployments, { first: (page - 1) * per_page, most: per_page });
  const runs = await q.run(
    listLastRuns(shown.map(({ deployment, trigger: { name } }) => ({ deployment_id: deployment.id, name }))),
  );
  const optedOut = await findRecipientsOptedOut(
    keyring,
    q,
    shown.map(({ deployment, trigger }) => ({ ...deployment, to: trigger.to })),
  );
  const lastRuns = new Map(runs.map((run) => [`${run.deployment_id} ${run.name}`, run]));
  const items = shown.map(({ deployment, trigger: { name, schedule, to } }, place) => {
    const { id: deployment_id, customer_id, customer_name, timezone } = deployment;
    const last = lastRuns.get(`${deployment_id} ${name}`);
    return {
      deployment_id,
      customer_id,
      customer_name,
      name,
      schedule,
      timezone,
      to,
      next_at: nextTimeOf(schedule, timezone, q.now),
      last_at: last?.at ?? null,
      last_error: last?.error ?? null,
      opted_out: optedOut.has(place),
    };
  });
  return { items, page, per_page, total };
}

async function pageOf(
  q: TenantQueryable,
  deployments: readonly TriggeredDeployment[],
  { first, most }: { first: number; most: number },
): Promise<{ shown: { deployment: TriggeredDeployment; trigger: Trigger }[]; total: number }> {
  const counts = await countTriggers(q, deployments);
  let total = 0;
  const onPage = deployments.flatMap((deployment) => {
    const from = total;
    total += counts.get(deployment.list_hash) ?? 0;
    return from < first + most && total > first ? [{ deployment, from }] : [];
  });
  const lists = new Map<string, Trigger[]>();
  const ids = onPage.map(({ deployment }) => deployment.id);
  await readLists(q, ids, (id, triggers) => lists.set(id, triggers));
  const shown = onPage.flatMap(({ deployment, from }) =>
    (lists.get(deployment.id) ?? [])
      .slice(Math.max(first - from, 0), first + most - from)
      .map((trigger) => ({ deployment, trigger })),
  );
  return { shown, total };
}

/** By the hashes of their lists. Customers of one recipe have the same list, which is read once. */
async function countTriggers(
  q: TenantQueryable,
  deployments: readonly TriggeredDeployment[],
): Promise<ReadonlyMap<string, number>> {
  const hashes = new Map(deployments.map(({ id, list_hash }) => [list_hash, id]));
  const counts = new Map<string, number>();
  await readLists(q, [...hashes.values()], (id, triggers) => counts.set(id, triggers.length));
  return new Map([...hashes].map(([list_hash, id]) => [list_hash, counts.get(id) ?? 0]));
}

/** Others have a turn between two lists. */
async function readLists(
  q: TenantQueryable,
  deployment_ids: readonly string[],
  take: (deployment_id: string, triggers: Trigger[]) => void,
): Promise<void> {
  for (let at = 0; at < deployment_ids.length; at += LISTS_AT_ONCE) {
    const ids = deployment_ids.slice(at, at + LISTS_AT_ONCE);
    for (const { id, trigger_templates } of await q.run(listTriggerLists(ids, LONGEST_PROMPT))) {
      await setImmediate();
      take(id, readTriggers({ trigger_templates }));
    }
  }
}

/** By their places in the list. */
async function findRecipientsOptedOut(
  keyring: Keyring,
  q: TenantQueryable,
  triggers: readonly { customer_id: string; country_code: string | null; to: string }[],
): Promise<ReadonlySet<number>> {
  if (triggers.length === 0) return new Set();
  const sought = triggers.map(({ customer_id, country_code, to }, place) => ({
    place,
    customer_id,
    spellings: matchesOf('chatapp', to, [country_code]),
  }));
  const people = (await q.run(findAddressees(sought))).flatMap(({ place, channel, address, aliases }) => {
    const trigger = triggers[place];
    if (!trigger) return [];
    const { customer_id, country_code, to } = trigger;
    return [{ place, customer_id, channel, addresses: [numberIn(to, country_code) ?? address, ...aliases] }];
  });
  return findOptedOut(keyring, q, people);
}
