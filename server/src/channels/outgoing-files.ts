import { LRUCache } from 'lru-cache';
import type { Media } from '../conversations/messages.contract.ts';
import { type FileKeyring, openUpload } from '../conversations/uploads.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { FairSemaphore } from '../platform/load/semaphore.ts';
import type { SendApi, SendResult, UploadRequest } from './send-api.port.ts';

/** The channel keeps files for 30 days; a message is tried for one. */
const KEPT = { max: 1000, ttl: 24 * 60 * 60_000 };

interface FileServices {
  keyring: FileKeyring;
  sendApi: SendApi;
}

/** Gives files of answers to the channel before the messages that name them. */
export class OutgoingFiles {
  readonly #services: FileServices;
  /** The channel's ids, by number and file. A later try of a message does not upload again. */
  readonly #given = new LRUCache<string, string>(KEPT);
  /** Files are held in memory, up to 16 MiB each. */
  readonly #semaphore = new FairSemaphore({ ofOne: 2, ofAll: 4 });

  constructor(services: FileServices) {
    this.#services = services;
  }

  /** Never rejects for reasons of the channel. @returns accepted with the channel's id of the file, else as for a message */
  async give(
    q: TenantQueryable,
    conversation_id: string,
    file: Media,
    to: Omit<UploadRequest, 'file'>,
  ): Promise<SendResult> {
    const key = `${to.phone_number_id} ${file.id}`;
    const channel_id = this.#given.get(key);
    if (channel_id !== undefined) return { outcome: 'accepted', reason: '', channel_id };
    const result = await this.#semaphore.run(q.tenant_id, () => this.#upload(q, conversation_id, file, to));
    if (result.outcome === 'accepted' && result.channel_id !== undefined)
      this.#given.set(key, result.channel_id);
    return result;
  }

  async #upload(
    q: TenantQueryable,
    conversation_id: string,
    { id }: Media,
    to: Omit<UploadRequest, 'file'>,
  ): Promise<SendResult> {
    const { keyring, sendApi } = this.#services;
    const stored = await openUpload(keyring, q, { conversation_id }, id);
    if (!stored) return { outcome: 'refused', reason: 'Its file was erased' };
    const mime_type = stored.mime_type ?? 'application/octet-stream';
    const content = new Blob(await stored.content.toArray(), { type: mime_type });
    const filename = stored.filename ?? 'file';
    return sendApi.upload({ ...to, file: { content, mime_type, filename } });
  }
}
