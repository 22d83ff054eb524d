import { NOW, sql } from '../platform/db/sql.ts';
import { type Deletion, expiredRows } from '../platform/deletions.ts';

export interface UploadRow {
  id: string;
  mime_type: string;
  size: number;
  sealed_filename: Buffer | null;
  is_taken: boolean;
}

export const insertUpload = (upload: {
  id: string;
  conversation_id: string;
  mime_type: string;
  size: number;
  sealed_filename: Buffer | null;
}) =>
  sql`insert into uploads (id, tenant_id, conversation_id, mime_type, size, sealed_filename, created_at)
      values (${upload.id}, current_tenant(), ${upload.conversation_id}, ${upload.mime_type}, ${upload.size},
              ${upload.sealed_filename}, ${NOW})`;

export const insertPiece = (upload_id: string, number: number, sealed_content: Buffer) =>
  sql`insert into upload_pieces (tenant_id, upload_id, number, sealed_content)
      values (current_tenant(), ${upload_id}, ${number}, ${sealed_content})`;

/** Finds a file of a conversation, or of any conversation of an instance. */
export const findUpload = (
  id: string,
  {
    conversation_id = null,
    instance_id = null,
  }: { conversation_id?: string | null; instance_id?: string | null },
) =>
  sql<UploadRow>`
    select u.id, u.mime_type, u.size, u.sealed_filename, u.message_id is not null as is_taken
    from uploads u join conversations c on c.id = u.conversation_id
    where u.id = ${id} and (${conversation_id}::uuid is null or c.id = ${conversation_id})
      and (${instance_id}::uuid is null or c.instance_id = ${instance_id})`.first();

/** From 0. undefined once the file was erased. */
export const findPiece = (upload_id: string, number: number) =>
  sql<{ sealed_content: Buffer }>`
    select sealed_content from upload_pieces where upload_id = ${upload_id} and number = ${number}`
    .first()
    .map((row) => row?.sealed_content);

/** One of two answers takes a file. False when it is not there, is another conversation's, or was taken. */
export const takeUpload = (id: string, conversation_id: string, message_id: string) =>
  sql`update uploads set message_id = ${message_id}
      where id = ${id} and conversation_id = ${conversation_id} and message_id is null returning id`.exists();

/** Where the answer's content was not kept, its file is not either. */
export const forgetUploadsOf = (message_id: string) =>
  sql`delete from uploads u using channel_messages m
      where u.message_id = ${message_id} and m.id = u.message_id and m.sealed_content is null`;

/** Those that no answer has taken within a day. */
export const unusedUploads = (): Deletion =>
  expiredRows({
    table: 'uploads',
    where: sql`message_id is null and created_at <= ${NOW}::timestamptz - interval '1 day'`,
    orderBy: 'created_at',
    limit: 50,
    everyMinutes: 5,
  });
