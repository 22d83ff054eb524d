import { fragment, NOW, sql } from '../platform/db/sql.ts';

/** The customer, or one of its identities where `identity_id` is given. */
export interface PinOwner {
  customer_id: string;
  identity_id: string | null;
}

export interface PinRow extends PinOwner {
  id: string;
  version: string;
  attempts: number;
  locked_until: Date | null;
  created_at: Date;
}

/** The PIN that one who tries is checked against, with that one's own tries. */
export interface EffectivePinRow extends PinRow {
  own_attempts: number;
  own_locked_until: Date | null;
}

const columns = fragment('p.id, p.version, p.customer_id, p.identity_id, p.attempts, p.created_at');

/** The latest lock of the PIN or of anybody whose PIN it is: its identity, or all without a PIN of their own. */
const latestLock = fragment(`greatest(p.locked_until, (
  select max(t.locked_until) from pin_tries t
  where t.customer_id = p.customer_id and case
    when p.identity_id is not null then t.identity_id = p.identity_id
    else not exists (
      select from pins o where o.customer_id = t.customer_id and o.identity_id = t.identity_id) end)) as locked_until`);

/** The owner's own PIN, without falling back to the customer's, and locked as long as anybody who may try it is. */
export const findPin = (owner: PinOwner) =>
  sql<PinRow>`
    select ${columns}, ${latestLock} from pins p
    where p.customer_id = ${owner.customer_id} and p.identity_id is not distinct from ${owner.identity_id}::uuid`.first();

/** The PIN that is checked: the identity's where it has one, else the customer's (contract, section 5). */
export const findEffectivePin = (who: PinOwner) =>
  sql<EffectivePinRow>`
    select ${columns}, p.locked_until, coalesce(t.attempts, 0) as own_attempts, t.locked_until as own_locked_until
    from pins p
    left join pin_tries t
      on t.customer_id = p.customer_id and t.identity_id is not distinct from ${who.identity_id}::uuid
    where p.customer_id = ${who.customer_id}
      and (p.identity_id is null or p.identity_id = ${who.identity_id}::uuid)
    order by p.identity_id nulls last limit 1`.first();

/** The PIN of the customer that has a user's e-mail address. */
export const findPinOfUser = (user_id: string) =>
  sql<PinRow>`
    select ${columns}, ${latestLock} from users u
    join customers c on lower(c.email) = lower(u.email)
    join pins p on p.customer_id = c.id and p.identity_id is null
    where u.id = ${user_id}`.first();

/** True when the customer or one of its identities has a PIN. */
export const anyPinExists = (customer_id: string) =>
  sql`select from pins where customer_id = ${customer_id} limit 1`.exists();

/** True when the customer itself has a PIN. */
export const customerPinExists = (customer_id: string) =>
  sql`select from pins where customer_id = ${customer_id} and identity_id is null`.exists();

/** Sets or replaces a PIN. Violates the constraint pins_identity when the identity no longer exists. */
export const upsertPin = (owner: PinOwner, pin_hash: string) =>
  sql<{ is_new: boolean }>`
    insert into pins as p (tenant_id, customer_id, identity_id, pin_hash, created_at)
    values (current_tenant(), ${owner.customer_id}, ${owner.identity_id}, ${pin_hash}, ${NOW})
    on conflict on constraint pins_owner do update set
      pin_hash = excluded.pin_hash, version = gen_random_uuid(), attempts = 0, locked_until = null,
      created_at = excluded.created_at
    returning p.xmax = 0 as is_new`.one();

/** Removes the owner's PIN, if there is one, together with its sessions. */
export const deletePin = (owner: PinOwner) =>
  sql`delete from pins
      where customer_id = ${owner.customer_id} and identity_id is not distinct from ${owner.identity_id}::uuid`;

/** Forgets the tries of those whose PIN is the owner's: the identity, or everybody without a PIN of their own. */
export const clearTries = (owner: PinOwner) =>
  sql`delete from pin_tries t
      where t.customer_id = ${owner.customer_id} and case
        when ${owner.identity_id}::uuid is not null then t.identity_id = ${owner.identity_id}
        else not exists (
          select from pins o where o.customer_id = t.customer_id and o.identity_id = t.identity_id) end`;

/** Locks an identity until the transaction ends, so that PINs of its own are set and removed one after another. */
export const lockIdentity = (identity_id: string) =>
  sql`select from identities where id = ${identity_id} for no key update`;

/**
 * Stops the statements behind it with 409 unless the PIN that applies has this version still; null: none applies. To be
 * run behind `lockIdentity`.
 * @param enforced false: every version is accepted
 */
export const pinStillApplies = (
  who: PinOwner,
  { enforced, version }: { enforced: boolean; version: string | null },
) =>
  sql`select must_hold(
        not ${enforced}::boolean or (select p.version from pins p
         where p.customer_id = ${who.customer_id}
           and (p.identity_id is null or p.identity_id = ${who.identity_id}::uuid)
         order by p.identity_id nulls last limit 1) is not distinct from ${version}::uuid,
        'The PIN was changed meanwhile')`;
