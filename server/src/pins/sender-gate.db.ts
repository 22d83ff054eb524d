import type { Sender } from '../platform/actor.ts';
import { sql } from '../platform/db/sql.ts';

/** Ids in a request whose owner only the database knows; null where absent. */
export interface RequestedIds {
  person_id: string | null;
  hostname: string | null;
  channel: string | null;
  /** Each spelling of the address. */
  external_ids: readonly string[];
}

/**
 * True for ids of other customers; the handler reports unknown addresses. Reads tables of rooms above, like the PIN
 * gate.
 */
export const findForeign = ({ customer_id }: Sender, named: RequestedIds) =>
  sql<{ person: boolean; hostname: boolean; address: boolean }>`
    select ${named.person_id}::uuid is not null and not exists (
             select from staff where id = ${named.person_id} and customer_id = ${customer_id}) as person,
           ${named.hostname}::text is not null and not exists (
             select from websites where hostname = ${named.hostname} and customer_id = ${customer_id}) as hostname,
           exists (
             select from identity_addresses a join identities i on i.id = a.identity_id
             where a.channel = ${named.channel} and a.external_id = any (${named.external_ids}::text[])
               and i.customer_id <> ${customer_id}) as address`.one();

/** Addresses may have come and gone since the token. undefined once the conversation is deleted. */
export const findSenderAddresses = (conversation_id: string) =>
  sql<{
    addresses: string[];
  }>`select addresses_of(id) as addresses from conversations where id = ${conversation_id}`
    .first()
    .map((row) => row?.addresses);

/** Also returns the skills of the agent that serves the sender's customer. */
export const findIntroduction = (sender: Sender, addresses: readonly string[]) =>
  sql<{ is_introduced: boolean; config: { skills: unknown; module_config: unknown } | null }>`
    select exists (
             select from identities
             where id = ${sender.identity_id} and customer_id = ${sender.customer_id} and verified)
           or exists (
             select from staff_bindings b join staff s on s.id = b.person_id
             where b.customer_id = ${sender.customer_id} and b.channel_type = ${sender.channel}
               and (b.channel_address = any (${addresses}::text[]) or b.address_key = any (${addresses}::text[])) and b.state = 'verified' and s.status <> 'terminated')
             as is_introduced,
           (select jsonb_build_object('skills', d.resolved_config -> 'skills',
                     'module_config', d.resolved_config -> 'module_config') from served_deployments d
            where d.instance_id = ${sender.instance_id} and d.customer_id = ${sender.customer_id}
            order by d.created_at desc, d.id limit 1) as config`.one();
