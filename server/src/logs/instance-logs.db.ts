import { json, NOW, sql } from '../platform/db/sql.ts';
import { type Deletion, expiredRows } from '../platform/deletions.ts';

export interface LogLineRow {
  id: number;
  at: Date;
  line: string;
}

/** Needs `lockLines` before: followers read by id and would miss a line that commits late. */
export const insertLines = (instance_id: string, lines: readonly string[]) =>
  sql`insert into instance_logs (tenant_id, instance_id, at, line)
      select i.tenant_id, i.id, ${NOW}, l.line
      from instances i, jsonb_array_elements_text(${json(lines)}) with ordinality as l (line, place)
      where i.id = ${instance_id} order by l.place`;

/** Serialises writers without blocking the instance's tasks. */
export const lockLines = (instance_id: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`logs ${instance_id}`}, 0))`;

/** Keeps the newest lines. */
export const trimLines = (instance_id: string, kept: number) =>
  sql`delete from instance_logs where instance_id = ${instance_id} and id <= (
        select id from instance_logs where instance_id = ${instance_id} order by id desc offset ${kept} limit 1)`;

export const notifyLines = (instance_id: string) => sql`select pg_notify('instance_logs', ${instance_id})`;

/** Oldest first. */
export const listLastLines = (instance_id: string, tail: number) =>
  sql<LogLineRow>`
    select id, at, line from (
      select id, at, line from instance_logs
      where instance_id = ${instance_id} and at > ${NOW}::timestamptz - interval '1 day'
      order by id desc limit ${tail}) newest
    order by id`;

/** Oldest first. */
export const listLinesAfter = (instance_id: string, after: number, limit: number) =>
  sql<LogLineRow>`
    select id, at, line from instance_logs
    where instance_id = ${instance_id} and id > ${after} and at > ${NOW}::timestamptz - interval '1 day'
    order by id limit ${limit}`;

/** Lines after a day. */
export const oldLines = (): Deletion =>
  expiredRows({
    table: 'instance_logs',
    where: sql`at <= ${NOW}::timestamptz - interval '1 day'`,
    orderBy: 'at',
    skipsLocked: false,
    limit: 1000,
    everyMinutes: 10,
  });

/** In the system scope. */
export const findInstanceTenant = (instance_id: string) =>
  sql<{ tenant_id: string }>`select tenant_id from instances where id = ${instance_id}`
    .first()
    .map((row) => row?.tenant_id);
