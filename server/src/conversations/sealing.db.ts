import { sql } from '../platform/db/sql.ts';
import type { JsonObject } from '../platform/json/json-object.ts';

/** The one job that seals what earlier versions stored in clear; 0043_conversations.sql enqueues it where there is some. */
export const SEAL_CONTENTS = 'seal_contents';

export interface ClearContent {
  id: string;
  tenant_id: string;
  text: string | null;
  raw: JsonObject | null;
}

/** A few messages whose content is in clear (in the system scope). */
export const listClearContents = (limit: number) =>
  sql<ClearContent>`
    select id, tenant_id, text, raw from channel_messages where text is not null or raw is not null limit ${limit}`;

/** Replaces contents in clear, unless they were erased or sealed meanwhile (in the system scope). */
export const replaceClearContents = (contents: readonly { id: string; sealed_content: Buffer }[]) =>
  sql`update channel_messages m set sealed_content = coalesce(m.sealed_content, s.sealed_content), text = null, raw = null
      from unnest(${contents.map(({ id }) => id)}::uuid[], ${contents.map(({ sealed_content }) => sealed_content)}::bytea[])
        as s (id, sealed_content)
      where m.id = s.id and (m.text is not null or m.raw is not null)`;
