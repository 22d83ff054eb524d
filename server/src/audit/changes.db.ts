import { actorName } from '../access/actor-names.db.ts';
import { fragment, json, sql } from '../platform/db/sql.ts';
import type { ChainPosition } from '../secrets/chain-heads.db.ts';
import type { ChainBounds, ChainedFields, ChainedRow } from './chained-rows.db.ts';
import type { ActorKind } from './changes.contract.ts';

/** Written by a trigger (changes.sql). */
interface ChangeRow {
  seq: number;
  change_id: string;
  at: Date;
  actor_kind: ActorKind;
  actor_id: string | null;
  operation: string;
  resource_id: string | null;
  request_id: string;
  status: number;
}

interface ChangeFilter {
  operation: string | null;
  actor_kind: ActorKind | null;
  actor_id: string | null;
  resource_id: string | null;
  from: string | null;
  to: string | null;
}

export const changeFields = (change: ChangeRow): ChainedFields => [
  change.seq,
  change.change_id,
  change.at.toISOString(),
  change.actor_kind,
  change.actor_id,
  change.operation,
  change.resource_id,
  change.request_id,
  change.status,
];

const columns = fragment(
  'seq, change_id, at, actor_kind, actor_id, operation, resource_id, request_id, status',
);

const nameOfActor = actorName('actor_kind', 'actor_id');

export const listChanges = (
  { operation, actor_kind, actor_id, resource_id, from, to }: ChangeFilter,
  limit: number,
  offset: number,
) =>
  sql<Omit<ChangeRow, 'change_id'> & { actor_name: string | null; total: number }>`
    select seq, at, actor_kind, actor_id, ${nameOfActor} as actor_name, operation, resource_id, request_id, status,
           count(*) over () as total
    from audit_changes
    where (${operation}::text is null or operation = ${operation})
      and (${actor_kind}::text is null or actor_kind = ${actor_kind})
      and (${actor_id}::uuid is null or actor_id = ${actor_id})
      and (${resource_id}::uuid is null or resource_id = ${resource_id})
      and (${from}::timestamptz is null or at >= ${from}) and (${to}::timestamptz is null or at < ${to})
    order by seq desc limit ${limit} offset ${offset}`.each(
    ({ actor_kind: kind, actor_id: id, actor_name: name, ...change }) => ({
      ...change,
      actor: { kind, id, name },
    }),
  );

/** In the order of the chain. */
export const listChainedChangesAfter = (after: number, limit: number) =>
  sql<ChangeRow & { place: number; hash: string }>`
    select ${columns}, place, encode(hash, 'hex') as hash from audit_changes
    where place > ${after} order by place limit ${limit}`.each(
    (row): ChainedRow => ({ place: row.place, at: row.at, hash: row.hash, fields: changeFields(row) }),
  );

/** In one snapshot. */
export const findChangeBounds = () =>
  sql<ChainBounds>`
    select (select min(place) from audit_changes) as first, (select max(place) from audit_changes) as last,
           (select sealed from chain_heads where chain = 'changes') as sealed`.one();

export const findLastChainedChange = () =>
  sql<ChainPosition>`
    select place as count, hash from audit_changes where place is not null order by place desc limit 1`.first();

export const unchainedChangesExist = () =>
  sql`select from audit_changes where place is null limit 1`.exists();

export const listUnchainedChanges = (limit: number) =>
  sql<ChangeRow>`select ${columns} from audit_changes where place is null order by seq limit ${limit}`;

/** In the system scope. */
export const listTenantsWithUnchainedChanges = () =>
  sql<{ tenant_id: string }>`select distinct tenant_id from audit_changes where place is null`.each(
    ({ tenant_id }) => tenant_id,
  );

/** In the system scope. */
export const chainChangeRows = (
  tenant_id: string,
  rows: readonly { seq: number; place: number; hash: string }[],
) => {
  const links = rows.map(({ seq, place, hash }) => ({ seq, place, hash }));
  return sql`
    update audit_changes c set place = l.place, hash = decode(l.hash, 'hex')
    from jsonb_to_recordset(${json(links)}::jsonb) as l (seq bigint, place bigint, hash text)
    where c.tenant_id = ${tenant_id} and c.seq = l.seq`;
};

/** In the system scope. */
export const deleteChangesUpTo = (tenant_id: string, place: number) =>
  sql`delete from audit_changes where tenant_id = ${tenant_id} and place <= ${place}`;
