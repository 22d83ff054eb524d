import { type Row, type Statement, sql } from './sql.ts';

/** Roles that the login has to be a member of (0001_baseline.sql). */
export const ROLES = ['acp_service', 'acp_tenant', 'acp_system'];
export const WHAT_TO_GRANT = `grant ${ROLES.join(', ')} to the login of DATABASE_URL (docs/deploy-to-a-server.md)`;

/** A pooler's answer to a startup parameter that it does not know, and to much else, such as a server that is away. */
const PROTOCOL_VIOLATION = '08P01';
const UNKNOWN_PARAMETER = /startup parameter/;
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Rejects if sessions do not begin in their role: behind a pooler that drops startup options, or if the login lacks a
 * role, as after a partial restore.
 */
export async function checkSession(
  run: (statements: readonly Statement[]) => Promise<Row[][]>,
): Promise<void> {
  const begins = sql`select where current_setting('role') = 'acp_service'`;
  const mayEnter = sql`select from unnest(${ROLES}::text[]) as role where set_config('role', role, true) is null`;
  const why = await run([begins, mayEnter]).then(
    ([rows]) => (rows?.length === 1 ? undefined : 'sessions begin without it'),
    (error: Error & { code?: string; cause?: { code?: string } }) => {
      const code = error.code ?? error.cause?.code;
      if (code === INSUFFICIENT_PRIVILEGE)
        throw new Error(`${error.message}: ${WHAT_TO_GRANT}`, { cause: error });
      if (code !== PROTOCOL_VIOLATION || !UNKNOWN_PARAMETER.test(error.message)) throw error;
      return error.message;
    },
  );
  if (why === undefined) return;
  throw new Error(
    `DATABASE_URL has to lead to PostgreSQL itself, or to a pooler that passes on the parameter "options": ${why}`,
  );
}
