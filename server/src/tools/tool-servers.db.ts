import { json, NOW, sql } from '../platform/db/sql.ts';

/** A tool that its server lists, or that the configuration names, and that is not offered. */
export interface ToolProblem {
  /** null where it has no name. */
  tool: string | null;
  reason: string;
}

export interface ServerState {
  name: string;
  ok: boolean;
  /** Number of tools for the agent; null while the server is down. */
  tools: number | null;
  error: string | null;
  /** Tools that it lists and that are not offered. */
  problems: readonly ToolProblem[];
}

export const downServer = (name: string, error: string): ServerState => ({
  name,
  ok: false,
  tools: null,
  error,
  problems: [],
});

/** Does nothing when the instance was deleted. */
export const noteServers = (instance_id: string, states: readonly ServerState[]) =>
  sql`insert into tool_servers as s (instance_id, tenant_id, name, ok, tools, error, problems, at)
      select i.id, i.tenant_id, n.name, n.ok, n.tools, n.error, n.problems, ${NOW}::timestamptz
      from instances i,
        jsonb_to_recordset(${json(states)}) as n (name text, ok boolean, tools integer, error text, problems jsonb)
      where i.id = ${instance_id} order by n.name
      on conflict (instance_id, name) do update set
        ok = excluded.ok, tools = excluded.tools, error = excluded.error,
        problems = excluded.problems, at = excluded.at`;
