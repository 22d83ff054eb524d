import { fragment, NOW, sql } from '../platform/db/sql.ts';

/** The customer, or one of its identities. */
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

/** With the caller's own attempts. */
export interface EffectivePinRow extends PinRow {
  own_attempts: number;
  own_locked_until: Date | null;
}

const columns = fragment('p.id, p.version, p.customer_id, p.identity_id, p.attempts, p.created_at');

/** The latest lock of the PIN or of a caller to whom it applies. */
const latestLock = fragment(`greatest(p.locked_until, (
  select max(t.locked_until) from pin_tries t
  where t.customer_id = p.customer_id and case
    when p.identity_id is not null then t.identity_id = p.identity_id
    else not exists (
      select from pins o where o.customer_id = t.customer_id and o.identity_id = t.identity_id) end)) as locked_until`);

/** Without falling back to the customer's PIN. `locked_until` is the latest lock. */
export const findPin = (owner: PinOwner) =>
  sql<PinRow>`
    select ${columns}, ${latestLock} from pins p
    where p.customer_id = ${owner.customer_id} and p.identity_id is not distinct from ${owner.identity_id}::uuid`.first();

/** The identity's PIN, else the customer's (contract, section 5). */
export const findEffectivePin = (who: PinOwner) =>
  sql<EffectivePinRow>`
    select ${columns}, p.locked_until, coalesce(t.attempts, 0) as own_attempts, t.locked_until as own_locked_until
    from pins p
    left join pin_tries t
      on t.customer_id = p.customer_id and t.identity_id is not distinct from ${who.identity_id}::uuid
    where p.customer_id = ${who.customer_id}
      and (p.identity_id is null or p.identity_id = ${who.identity_id}::uuid)
    order by p.identity_id nulls last limit 1`.first();

/** Matched by e-mail address. */
export const findPinOfUser = (user_id: string) =>
  sql<PinRow>`
    select ${columns}, ${latestLock} from users u
    join customers c on lower(c.email) = lower(u.email)
    join pins p on p.customer_id = c.id and p.identity_id is null
    where u.id = ${user_id}`.first();

/** Counts PINs of the customer and of its identities. */
export const anyPinExists = (customer_id: string) =>
  sql`select from pins where customer_id = ${customer_id} limit 1`.exists();

/** Ignores PINs of identities. */
export const customerPinExists = (customer_id: string) =>
  sql`select from pins where customer_id = ${customer_id} and identity_id is null`.exists();

/** Violates pins_identity when the identity is gone. */
export const upsertPin = (owner: PinOwner, pin_hash: string) =>
  sql<{ is_new: boolean }>`
    insert into pins as p (tenant_id, customer_id, identity_id, pin_hash, created_at)
    values (current_tenant(), ${owner.customer_id}, ${owner.identity_id}, ${pin_hash}, ${NOW})
    on conflict on constraint pins_owner do update set
      pin_hash = excluded.pin_hash, version = gen_random_uuid(), attempts = 0, locked_until = null,
      created_at = excluded.created_at
    returning p.xmax = 0 as is_new`.one();

/** Sessions go with the PIN. */
export const deletePin = (owner: PinOwner) =>
  sql`delete from pins
      where customer_id = ${owner.customer_id} and identity_id is not distinct from ${owner.identity_id}::uuid`;

/** For everybody to whom the owner's PIN applies: the identity, or all without a PIN of their own. */
export const clearTries = (owner: PinOwner) =>
  sql`delete from pin_tries t
      where t.customer_id = ${owner.customer_id} and case
        when ${owner.identity_id}::uuid is not null then t.identity_id = ${owner.identity_id}
        else not exists (
          select from pins o where o.customer_id = t.customer_id and o.identity_id = t.identity_id) end`;

/** Serialises changes of an identity's own PIN. */
export const lockIdentity = (identity_id: string) =>
  sql`select from identities where id = ${identity_id} for no key update`;

/**
 * Raises 409, which stops later statements, unless this version still applies (null: none). Needs `lockIdentity`
 * before.
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
