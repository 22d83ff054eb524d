import type { TenantQueryable } from '../platform/db/queryable.ts';
import { found, ServiceError } from '../platform/errors.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { openToken } from './access-token.ts';
import type { ChannelTemplate, TemplateSource } from './template-source.port.ts';
import { findTemplateOwner } from './templates.db.ts';

export interface TemplateServices {
  keyring: Pick<Keyring, 'open'>;
  templateSource: TemplateSource;
  settings: { chatapp_api_base_url: string };
}

/** 404 for an unknown number, 502 when the channel does not tell its templates. */
export async function listTemplates(
  { keyring, templateSource, settings }: TemplateServices,
  q: TenantQueryable,
  endpoint_id: string,
  signal: AbortSignal | undefined,
): Promise<ChannelTemplate[]> {
  const { phone_number_id, account_ids, base_url, connection_id, sealed_credentials } = found(
    'Channel endpoint',
    await q.run(findTemplateOwner(endpoint_id)),
  );
  if (connection_id === null || sealed_credentials === null)
    throw new ServiceError('bad_gateway', 'The customer has no chatapp connection to ask the channel with');
  const access_token = await openToken(keyring, q, connection_id, sealed_credentials);
  return templateSource.list({
    base_url: base_url ?? settings.chatapp_api_base_url,
    phone_number_id,
    account_ids,
    access_token,
    signal,
  });
}
