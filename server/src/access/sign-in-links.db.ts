import { NOW, sql } from '../platform/db/sql.ts';
import { type Deletion, expiredRows } from '../platform/deletions.ts';

/** False when the tenant has no such member (in the system scope). */
export const insertSignInLink = (link: {
  tenant_id: string;
  user_id: string;
  token_hash: Buffer;
  expires_at: Date;
}) =>
  sql`insert into sign_in_links (tenant_id, user_id, token_hash, expires_at)
      select tenant_id, user_id, ${link.token_hash}, ${link.expires_at}
      from memberships where tenant_id = ${link.tenant_id} and user_id = ${link.user_id} returning user_id`.exists();

/** A day after their end they say nothing to anybody. */
export const endedSignInLinks = (): Deletion =>
  expiredRows({
    table: 'sign_in_links',
    where: sql`expires_at < ${NOW}::timestamptz - interval '1 day'`,
    orderBy: 'expires_at',
  });
