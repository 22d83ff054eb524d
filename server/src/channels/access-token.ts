import { connectionContext } from '../connections/connections.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { isJsonObject } from '../platform/json/json-object.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { openedOr } from '../secrets/unreadable.ts';

/** @returns the access token of a `chatapp` connection; empty when its credentials have none or cannot be deciphered */
export async function openToken(
  keyring: Pick<Keyring, 'open'>,
  q: TenantQueryable,
  connection_id: string,
  sealed_credentials: Buffer,
): Promise<string> {
  const credentials: unknown = JSON.parse(
    await openedOr(keyring.open(q, sealed_credentials, connectionContext(connection_id)), 'null'),
  );
  const token = isJsonObject(credentials) ? credentials.access_token : undefined;
  return typeof token === 'string' ? token : '';
}
