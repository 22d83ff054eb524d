import { sql } from '../platform/db/sql.ts';
import { type Deletion, inBatches } from '../platform/deletions.ts';

/** Refuses people with 403. Like the next one, it stops the statements after it. */
export const personHasRoom = () => sql`select must_have_room('AC403')`;

/** Refuses runtimes with 429: there may be room later. */
export const runtimeHasRoom = () => sql`select must_have_room('AC429')`;

export const tenantHasRoom = () =>
  sql<{ has_room: boolean }>`select has_room(current_tenant())`.one().map(({ has_room }) => has_room);

/** Adds the noted changes to the tenants' counts. @returns how many there were, at most `limit` */
const addUpChanges = (limit: number) =>
  sql<{ count: number }>`
    with noted as (
      delete from stored_changes where ctid = any (array(select ctid from stored_changes limit ${limit}))
      returning tenant_id, bytes
    ), added as (
      insert into stored_bytes as s (tenant_id, bytes)
      select tenant_id, sum(bytes) from noted group by 1 order by 1
      on conflict (tenant_id) do update set bytes = s.bytes + excluded.bytes
    )
    select count(*)::int as count from noted`
    .one()
    .map(({ count }) => count);

export const storedChanges = (): Deletion => inBatches(addUpChanges, { limit: 20_000, everyMinutes: 0.25 });
