import type { InstanceStatus } from '../catalogue/hosting.contract.ts';
import { type ConfigLayers, layersOf } from '../conversations/config-layers.db.ts';
import type { ConversationPlace } from '../conversations/conversations.db.ts';
import { INTO_EVENTS } from '../instances/instance-events.db.ts';
import { NOW, sql } from '../platform/db/sql.ts';

/** Kind of the jobs that fire triggers; the key is the deployment's id. */
export const FIRE_TRIGGERS = 'fire_triggers';

/** Everything that decides when a deployment's triggers are due, and for whom. */
export interface TriggeredDeployment extends ConfigLayers {
  id: string;
  instance_id: string;
  customer_id: string;
  instance_status: InstanceStatus;
  is_active: boolean;
  timezone: string;
  /** Earlier times are not fired any more. */
  triggers_since: Date;
}

const LAYERS = layersOf('trigger_templates');

/** undefined once the customer has left the instance. */
export const findTriggers = (deployment_id: string) =>
  sql<TriggeredDeployment>`
    select d.id, d.instance_id, d.customer_id, i.status as instance_status, t.is_active, u.timezone, d.triggers_since, ${LAYERS}
    from served_deployments d
    join instances i on i.id = d.instance_id
    join customers u on u.id = d.customer_id
    join tenants t on t.id = d.tenant_id
    where d.id = ${deployment_id}`.first();

interface TriggerRun {
  deployment_id: string;
  name: string;
  at: Date;
}

/** False when the trigger was fired for this time already. */
export const claimRun = ({ deployment_id, name, at }: TriggerRun) =>
  sql`insert into trigger_runs (tenant_id, deployment_id, name, at) values (current_tenant(), ${deployment_id}, ${name}, ${at})
      on conflict do nothing returning name`.exists();

/** Missed times are fired for an hour at most, so of old runs only the last one is shown, for two years. */
export const forgetRuns = (deployment_id: string) =>
  sql`delete from trigger_runs r
      where deployment_id = ${deployment_id} and at < ${NOW}::timestamptz - interval '7 days'
        and (at < ${NOW}::timestamptz - interval '2 years' or exists (
          select from trigger_runs later
          where later.deployment_id = r.deployment_id and later.name = r.name and later.at > r.at))`;

/** Adds an event to the instance on why a trigger did nothing, once a day per reason. */
export const noteFailedRun = ({ deployment_id, name, at }: TriggerRun, instance_id: string, error: string) =>
  sql`with known as (
        select from trigger_runs
        where deployment_id = ${deployment_id} and name = ${name} and error = ${error} and at > ${at}::timestamptz - interval '1 day'
      ), noted as (
        update trigger_runs set error = ${error} where deployment_id = ${deployment_id} and name = ${name} and at = ${at}
      )
      ${INTO_EVENTS}
      select i.tenant_id, i.id, ${NOW}, i.status, i.status, 'trigger', ${error} from instances i
      where i.id = ${instance_id} and not exists (select from known) for no key update of i`;

/** Adds an event to the instance on a trigger that no runtime took in time. */
export const noteUntoldTrigger = (instance_id: string, error: string) =>
  sql`${INTO_EVENTS}
      select i.tenant_id, i.id, ${NOW}, i.status, i.status, 'trigger', ${error} from instances i
      where i.id = ${instance_id} for no key update of i`;

/** The recipient of a trigger. */
export interface Addressee {
  channel: string;
  address: string;
  identity_id: string | null;
}

/** An identity of the customer with one of these addresses, else a worker who has verified one. */
export const findAddressee = (customer_id: string, spellings: readonly string[]) =>
  sql<Addressee>`
    select channel, address, identity_id from (
      select a.channel, a.external_id as address, i.id as identity_id, 1 as place
      from identity_addresses a join identities i on i.id = a.identity_id
      where i.customer_id = ${customer_id} and a.external_id = any (${spellings}::text[])
      union all
      select channel_type, channel_address, null, 2 from staff_bindings
      where customer_id = ${customer_id} and state = 'verified'
        and (channel_address = any (${spellings}::text[]) or address_key = any (${spellings}::text[]))) found
    order by place, address limit 1`.first();

/** The most recent one, in which the sender goes on. */
export const findConversationWith = (
  { instance_id, customer_id, channel }: ConversationPlace,
  { spellings, identity_id }: { spellings: readonly string[]; identity_id: string | null },
) =>
  sql<{ id: string }>`
    select id from conversations
    where instance_id = ${instance_id} and customer_id = ${customer_id} and channel = ${channel}
      and (identity_id = ${identity_id}::uuid or id in (
        select conversation_id from conversation_addresses
        where customer_id = ${customer_id} and instance_id = ${instance_id} and channel = ${channel}
          and address_key in (select address_key(address) from unnest(${spellings}::text[]) a (address))))
    order by merged_into is not null, last_message_at desc, id limit 1`
    .first()
    .map((row) => row?.id);
