import type { Queryable } from '../platform/db/queryable.ts';
import { fragment, sql } from '../platform/db/sql.ts';

/** Whose PIN: the customer's, or one of its identities'. */
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

/** The owner's PIN itself, without falling back to the customer's. */
export async function findPin(q: Queryable, owner: PinOwner): Promise<PinRow | undefined> {
  const [row] = await q.rows(
    sql<PinRow>`
      select ${columns} from pins p
      where p.customer_id = ${owner.customer_id} and p.identity_id is not distinct from ${owner.identity_id}::uuid`,
  );
  return row;
}

/** The PIN that counts: the identity's where it has one, else the customer's (contract, section 5). */
export async function findEffectivePin(q: Queryable, owner: PinOwner): Promise<PinRow | undefined> {
  const [row] = await q.rows(
    sql<PinRow>`
      select ${columns} from pins p
      where p.customer_id = ${owner.customer_id}
        and (p.identity_id is null or p.identity_id = ${owner.identity_id}::uuid)
      order by p.identity_id nulls last limit 1`,
  );
  return row;
}

/** The PIN of the customer that has a user's e-mail address. */
export async function findPinOfUser(q: Queryable, user_id: string): Promise<PinRow | undefined> {
  const [row] = await q.rows(
    sql<PinRow>`
      select ${columns} from users u
      join customers c on lower(c.email) = lower(u.email)
      join pins p on p.customer_id = c.id and p.identity_id is null
      where u.id = ${user_id}`,
  );
  return row;
}

/** Sets a PIN, in place of the one that there is. Refused by the constraint pins_identity when the identity has gone. */
export async function upsertPin(
  q: Queryable,
  owner: PinOwner,
  pin_hash: string,
  now: Date,
): Promise<PinRow & { is_new: boolean }> {
  const [row] = await q.rows(
    sql<PinRow & { is_new: boolean }>`
      insert into pins as p (tenant_id, customer_id, identity_id, pin_hash, created_at)
      values (current_tenant(), ${owner.customer_id}, ${owner.identity_id}, ${pin_hash}, ${now})
      on conflict on constraint pins_owner do update set
        pin_hash = excluded.pin_hash, version = gen_random_uuid(), attempts = 0, locked_until = null,
        created_at = excluded.created_at
      returning ${columns}, p.xmax = 0 as is_new`,
  );
  return row as PinRow & { is_new: boolean };
}

/** Removes the owner's PIN, if there is one, and with it its sessions. */
export const deletePin = (q: Queryable, owner: PinOwner) =>
  q.rows(
    sql`delete from pins
        where customer_id = ${owner.customer_id} and identity_id is not distinct from ${owner.identity_id}::uuid`,
  );
