import { listOf } from '../conversations/config-layers.db.ts';
import { fragment, json, sql } from '../platform/db/sql.ts';
import type { JsonObject } from '../platform/json/json-object.ts';

export interface TriggeredDeployment {
  id: string;
  customer_id: string;
  customer_name: string | null;
  country_code: string | null;
  timezone: string;
  /** Equal for equal lists of triggers. */
  list_hash: string;
}

const LIST = listOf('trigger_templates');
const SERVED = fragment(
  'served_deployments d join customers u on u.id = d.customer_id join tenants t on t.id = d.tenant_id',
);

/** Those that may have triggers, newest first. @param readsCustomers shows the e-mail address of customers without a name */
export const listTriggeredDeployments = (instance_id: string, readsCustomers: boolean) =>
  sql<TriggeredDeployment>`
    select d.id, d.customer_id, u.country_code, u.timezone, md5((${LIST})::text) as list_hash,
           customer_name_of(d.customer_id, ${readsCustomers}) as customer_name
    from ${SERVED}
    where d.instance_id = ${instance_id} and jsonb_typeof(${LIST}) = 'array'
    order by d.created_at desc, d.id`;

interface TriggerList {
  id: string;
  trigger_templates: JsonObject[];
}

/** Longer than any valid part. */
const LONGEST_PART = 1000;
const part = (name: string) =>
  `'${name}', case when jsonb_typeof(e -> '${name}') = 'string' then left(e ->> '${name}', ${LONGEST_PART}) end`;
const PARTS = fragment(`${part('name')}, ${part('schedule')}, ${part('to')}`);

/**
 * As the configuration has them, with all that decides which are valid. Prompts are long and not listed, so all that comes
 * of one says that it has at most `longest_prompt` characters.
 */
export const listTriggerLists = (deployment_ids: readonly string[], longest_prompt: number) =>
  sql<TriggerList>`
    select d.id, (
      select coalesce(jsonb_agg(jsonb_build_object(${PARTS}, 'prompt', case
        when jsonb_typeof(e -> 'prompt') = 'string' and char_length(e ->> 'prompt') between 1 and ${longest_prompt}
        then 'fits' end) order by place), '[]')
      from jsonb_array_elements(case when jsonb_typeof(${LIST}) = 'array' then ${LIST} end)
        with ordinality as element (e, place)
    ) as trigger_templates
    from ${SERVED} where d.id = any (${deployment_ids}::uuid[])`;

interface LastRun {
  deployment_id: string;
  name: string;
  at: Date;
  error: string | null;
}

/** The newest of each trigger. */
export const listLastRuns = (triggers: readonly { deployment_id: string; name: string }[]) =>
  sql<LastRun>`
    select w.deployment_id, w.name, r.at, r.error
    from jsonb_to_recordset(${json(triggers)}::jsonb) as w (deployment_id uuid, name text)
    cross join lateral (
      select at, error from trigger_runs
      where deployment_id = w.deployment_id and name = w.name order by at desc limit 1) r`;

/** A trigger by its place in a list, with the spellings of its address. */
interface Sought {
  place: number;
  customer_id: string;
  spellings: readonly string[];
}

interface Found {
  place: number;
  channel: string;
  address: string;
  /** Addresses of the same identity. */
  aliases: string[];
}

/** The recipients of triggers, as `findAddressee` finds each. */
export const findAddressees = (sought: readonly Sought[]) =>
  sql<Found>`
    select w.place, f.channel, f.address,
           array(select external_id from identity_addresses where identity_id = f.identity_id) as aliases
    from jsonb_to_recordset(${json(sought)}::jsonb) as w (place integer, customer_id uuid, spellings text[])
    cross join lateral (
      select a.channel, a.external_id as address, i.id as identity_id, 1 as preference
      from identity_addresses a join identities i on i.id = a.identity_id
      where i.customer_id = w.customer_id and a.external_id = any (w.spellings)
      union all
      select channel_type, channel_address, null, 2 from staff_bindings
      where customer_id = w.customer_id and state = 'verified'
        and (channel_address = any (w.spellings) or address_key = any (w.spellings))
      order by preference, address limit 1) f`;
