import { fragment } from '../platform/db/sql.ts';

/**
 * A caller’s name: a user's e-mail address, a key's name, an instance's hostname; null for others, and once their row is
 * gone. In a tenant's scope.
 * @param kind expression of its kind @param id expression of its id
 */
export const actorName = (kind: string, id: string) =>
  fragment(`case ${kind}
    when 'user' then (select m.email from memberships m where m.user_id = ${id})
    when 'api_key' then (select k.name from api_keys k where k.id = ${id})
    when 'instance' then (select i.hostname from instances i where i.id = ${id}) end`);

/** `{kind, id, name}` of a column with `{kind, id}` as JSON; null for null. */
export const namedActor = (column: string) =>
  fragment(`${column} || jsonb_build_object('name',
    ${actorName(`${column} ->> 'kind'`, `(${column} ->> 'id')::uuid`).text})`);
