import { fragment, NOW, sql } from '../platform/db/sql.ts';

/** The customer, or one of its identities where `identity_id` is given. */
export interface PinOwner {
  customer_id: string;
  identity_id: string | null;
}

export interface PinRow extends PinOwner {
  id: string;
  attempts: number;
  locked_until: Date | null;
  created_at: Date;
}

const columns = fragment('p.id, p.customer_id, p.identity_id, p.attempts, p.locked_until, p.created_at');

/** The owner's own PIN, without falling back to the customer's. */
export const findPin = (owner: PinOwner) =>
  sql<PinRow>`
    select ${columns} from pins p
    where p.customer_id = ${owner.customer_id} and p.identity_id is not distinct from ${owner.identity_id}::uuid`.first();

/** The PIN that is checked: the identity's where it has one, else the customer's (contract, section 5). */
export const findEffectivePin = (owner: PinOwner) =>
  sql<PinRow>`
    select ${columns} from pins p
    where p.customer_id = ${owner.customer_id}
      and (p.identity_id is null or p.identity_id = ${owner.identity_id}::uuid)
    order by p.identity_id nulls last limit 1`.first();

/** The PIN of the customer that has a user's e-mail address. */
export const findPinOfUser = (user_id: string) =>
  sql<PinRow>`
    select ${columns} from users u
    join customers c on lower(c.email) = lower(u.email)
    join pins p on p.customer_id = c.id and p.identity_id is null
    where u.id = ${user_id}`.first();

/** Sets or replaces a PIN. Violates the constraint pins_identity when the identity no longer exists. */
export const upsertPin = (owner: PinOwner, pin_hash: string) =>
  sql<PinRow & { is_new: boolean }>`
    insert into pins as p (tenant_id, customer_id, identity_id, pin_hash, created_at)
    values (current_tenant(), ${owner.customer_id}, ${owner.identity_id}, ${pin_hash}, ${NOW})
    on conflict on constraint pins_owner do update set
      pin_hash = excluded.pin_hash, version = gen_random_uuid(), attempts = 0, locked_until = null,
      created_at = excluded.created_at
    returning ${columns}, p.xmax = 0 as is_new`.one();

/** Removes the owner's PIN, if there is one, together with its sessions. */
export const deletePin = (owner: PinOwner) =>
  sql`delete from pins
      where customer_id = ${owner.customer_id} and identity_id is not distinct from ${owner.identity_id}::uuid`;
