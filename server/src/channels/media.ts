import { openContent } from '../conversations/message-content.ts';
import type { Media } from '../conversations/messages.contract.ts';
import { openUpload } from '../conversations/uploads.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { found, ServiceError } from '../platform/errors.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { openToken } from './access-token.ts';
import { findMedia, type MediaOwner } from './media.db.ts';
import type { MediaSource, OpenedMedia } from './media-source.port.ts';

export interface MediaServices {
  keyring: Pick<Keyring, 'seal' | 'open' | 'openBytes' | 'lookupHash'>;
  mediaSource: MediaSource;
  settings: { chatapp_api_base_url: string };
}

/** Finds a message by its media id, which is sealed with the content. Hashes differ between tenants. */
export const mediaHash = (
  keyring: Pick<Keyring, 'lookupHash'>,
  tenant_id: string,
  media_id: string,
): Buffer => keyring.lookupHash('media', `${tenant_id}:${media_id}`);

/** A file of ours, or one that the channel has. 404 when the owner has neither, 502 when the channel does not deliver it. */
export async function openMedia(
  { keyring, mediaSource, settings }: MediaServices,
  q: TenantQueryable,
  owner: MediaOwner,
  media_id: string,
  signal: AbortSignal | undefined,
): Promise<OpenedMedia & { filename: string | undefined }> {
  const uploaded = await openUpload(keyring, q, owner, media_id);
  if (uploaded) return { ...uploaded, filename: uploaded.filename };
  const row = found('Media', await q.run(findMedia(owner, mediaHash(keyring, q.tenant_id, media_id))));
  const { media = [] } = await openContent(keyring, q, row);
  const stored: Media = found(
    'Media',
    media.find(({ id }) => id === media_id),
  );
  const { connection_id, sealed_credentials } = row;
  if (connection_id === null || sealed_credentials === null) {
    throw new ServiceError('bad_gateway', 'The customer has no chatapp connection to fetch media with');
  }
  const access_token = await openToken(keyring, q, connection_id, sealed_credentials);
  const base_url = row.base_url ?? settings.chatapp_api_base_url;
  const opened = await mediaSource.open({ base_url, media_id, access_token, signal });
  return { ...opened, mime_type: stored.mime_type ?? opened.mime_type, filename: stored.filename };
}
