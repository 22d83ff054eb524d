import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { personHasRoom, runtimeHasRoom } from '../access/stored-bytes.db.ts';
import { isUuid } from '../platform/contract/formats.ts';
import type { TenantDb, TenantQueryable, TenantTx } from '../platform/db/queryable.ts';
import type { Query } from '../platform/db/sql.ts';
import { invalid, ServiceError } from '../platform/errors.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { conversationExists, conversationIsOf } from './conversations.db.ts';
import { typeOfFile } from './file-types.ts';
import type { ContentKeyring } from './message-content.ts';
import type { Media } from './messages.contract.ts';
import {
  findPiece,
  findUpload,
  forgetUploadsOf,
  insertPiece,
  insertUpload,
  takeUpload,
  type UploadRow,
} from './uploads.db.ts';

const PIECE_BYTES = 1024 * 1024;
const MAX_FILENAME_LENGTH = 255;
/** Parts of a path, and what a terminal or a page would act on. */
const NOT_IN_NAMES = /[\p{Cc}\p{Bidi_Control}/\\]/gu;

export type FileKeyring = ContentKeyring & Pick<Keyring, 'openBytes'>;

const nameContext = (id: string) => `upload-name:${id}`;
const pieceContext = (id: string, number: number) => `upload:${id}:${number}`;

/** A person uploads to a conversation, a runtime to one of its instance. */
type Uploader = { conversation_id: string; instance_id?: string };

/** 404 for a conversation that the uploader does not have, 415 and 413 for a file that is not taken. */
export async function storeUpload(
  keyring: ContentKeyring,
  q: TenantDb,
  { conversation_id, instance_id }: Uploader,
  bytes: Buffer,
  header: string | undefined,
): Promise<{ media_id: string; mime_type: string; size: number }> {
  const filename = header === undefined ? undefined : filenameIn(header);
  const check =
    instance_id === undefined
      ? conversationExists(conversation_id)
      : conversationIsOf(instance_id, conversation_id);
  const room = instance_id === undefined ? personHasRoom() : runtimeHasRoom();
  await q.run(check);
  const mime_type = await typeOfFile(bytes);
  const id = randomUUID();
  const sealed_filename = filename ? await keyring.seal(q, filename, nameContext(id)) : null;
  const size = bytes.length;
  const pieces: Query<unknown>[] = [];
  for (let number = 0; number * PIECE_BYTES < size; number++) {
    const piece = bytes.subarray(number * PIECE_BYTES, (number + 1) * PIECE_BYTES);
    pieces.push(insertPiece(id, number, await keyring.seal(q, piece, pieceContext(id, number))));
  }
  const upload = insertUpload({ id, conversation_id, mime_type, size, sealed_filename });
  await q.runAll<unknown>([check, room, upload, ...pieces]);
  return { media_id: id, mime_type, size };
}

/** Node reads headers as Latin-1; clients write UTF-8, or percent-encode it as browsers have to. */
function filenameIn(header: string): string {
  const text = decoded(Buffer.from(header, 'latin1').toString());
  const loc = ['header', 'x-filename'];
  if (!text.isWellFormed() || text.includes('\0')) throw invalid(loc, 'The name is no text');
  const name = text.replaceAll(NOT_IN_NAMES, ' ').trim();
  if (name.length <= MAX_FILENAME_LENGTH) return name;
  throw invalid(loc, `The name has at most ${MAX_FILENAME_LENGTH} characters`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A file as a message shows it. */
async function mediaOf(keyring: ContentKeyring, q: TenantQueryable, row: UploadRow): Promise<Media> {
  const { id, mime_type, size, sealed_filename } = row;
  const filename = sealed_filename && (await keyring.open(q, sealed_filename, nameContext(id)));
  return { id, mime_type, size, ...(filename && { filename }) };
}

/** The file that an answer may take. undefined when there is none such, or another answer has it. */
export async function readFree(
  keyring: ContentKeyring,
  q: TenantQueryable,
  conversation_id: string,
  id: string,
): Promise<Media | undefined> {
  const row = isUuid(id) ? await q.run(findUpload(id, { conversation_id })) : undefined;
  return row && !row.is_taken ? mediaOf(keyring, q, row) : undefined;
}

export const notFree = () =>
  invalid(['body', 'media', '0', 'id'], 'No file of this conversation that no other answer has taken');

/** 422 when another answer has taken it meanwhile. Follows the answer's insertion. */
export async function take(
  tx: Pick<TenantTx, 'run'>,
  media_id: string,
  message: { id: string; conversation_id: string },
): Promise<void> {
  if (!(await tx.run(takeUpload(media_id, message.conversation_id, message.id)))) throw notFree();
  await tx.run(forgetUploadsOf(message.id));
}

/** An uploaded file with its content. undefined when the owner has none such. */
export async function openUpload(
  keyring: FileKeyring,
  q: TenantQueryable,
  owner: { conversation_id: string } | { instance_id: string },
  id: string,
): Promise<(Media & { content: Readable }) | undefined> {
  const row = isUuid(id) ? await q.run(findUpload(id, owner)) : undefined;
  if (!row) return undefined;
  const content = Readable.from(piecesOf(keyring, q, row), { objectMode: false });
  return { ...(await mediaOf(keyring, q, row)), content };
}

async function* piecesOf(
  keyring: FileKeyring,
  q: TenantQueryable,
  { id, size }: UploadRow,
): AsyncGenerator<Buffer, void> {
  for (let number = 0; number * PIECE_BYTES < size; number++) {
    const piece = await q.run(findPiece(id, number));
    if (!piece) throw new ServiceError('not_found', 'Media not found');
    yield await keyring.openBytes(q, piece, pieceContext(id, number));
  }
}
