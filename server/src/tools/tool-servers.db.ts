import { json, NOW, sql } from '../platform/db/sql.ts';

export interface ServerState {
  name: string;
  ok: boolean;
  /** Number of tools for the agent; null while the server is down. */
  tools: number | null;
  error: string | null;
}

/** Does nothing when the instance was deleted. */
export const noteServers = (instance_id: string, states: readonly ServerState[]) =>
  sql`insert into tool_servers as s (instance_id, tenant_id, name, ok, tools, error, at)
      select i.id, i.tenant_id, n.name, n.ok, n.tools, n.error, ${NOW}::timestamptz
      from instances i, jsonb_to_recordset(${json(states)}) as n (name text, ok boolean, tools integer, error text)
      where i.id = ${instance_id} order by n.name
      on conflict (instance_id, name) do update set
        ok = excluded.ok, tools = excluded.tools, error = excluded.error, at = excluded.at`;
