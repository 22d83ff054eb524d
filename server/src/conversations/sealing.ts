import type { Database } from '../platform/db/database.ts';
import { type ContentKeyring, sealContent } from './message-content.ts';
import { listClearContents, replaceClearContents } from './sealing.db.ts';

/** Small, so that nobody waits for the rows. */
const BATCH = 100;

/** The job that seals contents in clear, of all tenants. A run that ends early loses nothing. @returns undefined when none is left */
export async function sealContents(
  { db, keyring }: { db: Database; keyring: ContentKeyring },
  signal: AbortSignal,
): Promise<'now' | undefined> {
  while (!signal.aborted) {
    const rows = await db.system.run(listClearContents(BATCH));
    if (rows.length === 0) return undefined;
    const sealed = rows.map(async ({ id, tenant_id, text, raw }) => {
      const content = { ...(text !== null && { text }), ...(raw !== null && { raw }) };
      return { id, sealed_content: await sealContent(keyring, db.tenant(tenant_id), id, content) };
    });
    await db.system.run(replaceClearContents(await Promise.all(sealed)));
  }
  return 'now';
}
