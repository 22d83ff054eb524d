import type { HostingMode, InstanceStatus } from '../catalogue/hosting.contract.ts';
import { type ConfigLayers, layersOf } from '../conversations/config-layers.db.ts';
import type { Mode } from '../conversations/conversations.db.ts';
import type { StoredContent } from '../conversations/messages.db.ts';
import { SERVED_BY } from '../conversations/served-by.db.ts';
import type { RuntimeReason } from '../instances/runtime-state.contract.ts';
import { NOW, sql } from '../platform/db/sql.ts';
import type { OnboardingStep } from '../recipes/onboarding-flows.contract.ts';

/** Everything that decides what happens to a conversation's waiting messages. */
export interface WaitingConversation extends ConfigLayers {
  id: string;
  instance_id: string;
  customer_id: string;
  channel: string;
  external_id: string;
  addresses: string[];
  identity_id: string | null;
  mode: Mode;
  human_until: Date | null;
  joins_waiting: boolean;
  /** Messages up to this number do not go to the runtime again. */
  ended_number: number;
  /** Infinity when no opening is known. */
  away_until: Date | number | null;
  /** No message of the sender was handled, and no person has written. */
  is_new: boolean;
  is_greeted: boolean;
  /** The customer has an earlier conversation with the same address, for example with another instance. */
  is_known: boolean;
  /** The started or configured onboarding flow; null without one, and once it is over. */
  onboarding_flow_id: string | null;
  onboarding_steps: OnboardingStep[] | null;
  /** How many steps were asked. */
  onboarding_step: number;
  /** Replies to the last step have higher message numbers. */
  onboarding_number: number;
  instance_status: InstanceStatus;
  hosting_mode: HostingMode;
  /** null also while its host drains, and while its node is silent. */
  runtime_address: string | null;
  /** The runtime sleeps, falls asleep or wakes. */
  needs_waking: boolean;
  /** It did not wake while the conversation waited for it. */
  has_failed_wake: boolean;
  /** The reason of its last failure; null also once it is started again. */
  wake_failure: RuntimeReason | null;
  sealed_message_secret: Buffer | null;
  timezone: string;
  /** The customer's, BCP 47. */
  locale: string | null;
  retention_days: number;
  /** False once the customer has left the instance. */
  is_served: boolean;
  /** Limit of forwarded messages per 10 minutes. */
  sender_messages: number;
}

const LAYERS = layersOf('channel_config');

export const findWaitingConversation = (id: string) =>
  sql<WaitingConversation>`
    select c.id, c.instance_id, c.customer_id, c.channel, coalesce(c.began_with, c.external_id) as external_id,
           addresses_of(c.id) as addresses, c.identity_id, c.mode, c.human_until, c.joins_waiting,
           coalesce(c.ended_number, c.answered_number) as ended_number, c.away_until,
           not exists (select from channel_messages where conversation_id = c.id
                       and (author = 'sender' and status = 'handled' or author = 'person')) as is_new,
           exists (select from channel_messages
                   where conversation_id = c.id and author = 'system' and idempotency_key = 'greeting') as is_greeted,
           f.id is not null and c.onboarding_step = 0 and exists (
             select from conversation_addresses a
             join conversation_addresses s on s.customer_id = a.customer_id and s.channel = a.channel and s.address_key = a.address_key
             join conversations o on o.id = s.conversation_id
             where a.conversation_id = c.id and o.id <> c.id and o.created_at < c.created_at) as is_known,
           f.id as onboarding_flow_id, f.steps as onboarding_steps, c.onboarding_step, c.onboarding_number,
           i.status as instance_status, i.hosting_mode, case when not r.is_draining and r.state <> 'lost' then r.address end as runtime_address,
           r.needs_waking, w.has_failed is true as has_failed_wake, case r.state when 'asleep' then r.reason end as wake_failure,
           i.sealed_message_secret,
           ${LAYERS}, u.timezone, u.locale, coalesce(d.retention_days, 0) as retention_days,
           d.retention_days is not null as is_served,
           limit_of(c.tenant_id, 'sender_messages')::float8 as sender_messages
    from conversations c
    join instances i on i.id = c.instance_id
    join runtime_states r on r.instance_id = i.id
    left join wake_waits w on w.conversation_id = c.id
    join customers u on u.id = c.customer_id
    join tenants t on t.id = c.tenant_id
    ${SERVED_BY}
    left join lateral (
      select asked.id, flow.steps
      from (select coalesce(c.onboarding_flow_id, d.onboarding_flow_id) as id) asked
      left join onboarding_flows flow on flow.id = asked.id
      where asked.id is not null and c.onboarded_at is null) f on true
    where c.id = ${id}`.first();

export interface WaitingMessage extends StoredContent {
  number: number;
  message_id: string;
  kind: string;
  /** Written by the control plane, not by the sender. */
  is_system: boolean;
  received_at: Date;
  /** When it was written. */
  sent_at: Date;
  give_up_at: Date;
  last_error: string | null;
  /** Why a voice note has no transcript. */
  error: string | null;
  burst: string | null;
}

/** Oldest first, after system messages, which do not wait for business hours. */
export const listWaiting = (conversation_id: string, limit: number) =>
  sql<WaitingMessage>`
    select id, number, message_id, kind, author = 'system' as is_system, received_at,
           coalesce(sent_at, received_at) as sent_at, give_up_at, last_error, error, burst,
           sealed_content
    from channel_messages
    where conversation_id = ${conversation_id} and status = 'pending'
    order by author = 'system' desc, number limit ${limit}`;

export const listContents = (ids: readonly string[]) =>
  sql<StoredContent>`
    select id, sealed_content from channel_messages where id = any(${ids}::uuid[]) order by number`;

/** Forwarded messages of the sender in the last 10 minutes. */
export const countForwarded = (conversation_id: string) =>
  sql<{ count: number }>`
    select count(*)::int as count from channel_messages
    where conversation_id = ${conversation_id} and author = 'sender' and forwarded_at > ${NOW}::timestamptz - interval '10 minutes'`
    .one()
    .map(({ count }) => count);
