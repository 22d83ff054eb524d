import { randomUUID } from 'node:crypto';
import { instanceExists } from '../instances/instances.db.ts';
import { isForeignKeyViolation, isUniqueViolation } from '../platform/db/constraint-errors.ts';
import type { Queryable, TenantQueryable } from '../platform/db/queryable.ts';
import { conflict, forbidden, found, notFound } from '../platform/errors.ts';
import type { Keyring } from '../secrets/keyring.ts';
import type { Channel } from './channel-endpoints.contract.ts';
import {
  type ChannelEndpointRow,
  type EndpointSecrets,
  existsVerifyToken,
  insertChannelEndpoint,
  patchChannelEndpoint,
} from './channel-endpoints.db.ts';
import { appSecretContext } from './webhook-signature.ts';

interface Settings {
  phone_number_id: string;
  instance_id: string;
  verify_token: string;
  app_secret: string;
}

export const verifyTokenHash = (keyring: Keyring, token: string) => keyring.lookupHash('verify-token', token);

/** The channel's question whether its webhook is here. Forbidden unless an endpoint of any tenant has the token. */
export async function expectVerifyToken(
  q: Queryable,
  keyring: Keyring,
  channel: Channel,
  { mode, token }: { mode: string; token: string | undefined },
): Promise<void> {
  const matches =
    mode === 'subscribe' &&
    token !== undefined &&
    (await q.run(existsVerifyToken(channel, verifyTokenHash(keyring, token))));
  if (!matches) throw forbidden('The verify token does not match');
}

/** Registers a number, which other tenants may have registered, too (contract, section 17). */
export async function createChannelEndpoint(
  q: TenantQueryable,
  keyring: Keyring,
  settings: Settings & { channel: Channel },
): Promise<ChannelEndpointRow> {
  const { channel, phone_number_id, instance_id, verify_token, app_secret } = settings;
  const id = randomUUID();
  const secrets = {
    verify_token_hash: verifyTokenHash(keyring, verify_token),
    ...(await keptSecret(q, keyring, id, app_secret)),
  };
  const [, row] = await q.run(
    instanceExists(instance_id),
    insertChannelEndpoint({ id, channel, phone_number_id, instance_id, ...secrets }),
  );
  if (!row) throw taken(phone_number_id);
  return row;
}

/** Changes what is given. */
export async function updateChannelEndpoint(
  q: TenantQueryable,
  keyring: Keyring,
  id: string,
  settings: Partial<Settings>,
): Promise<ChannelEndpointRow> {
  const { phone_number_id, instance_id, verify_token, app_secret } = settings;
  const change = {
    ...(phone_number_id !== undefined && { phone_number_id }),
    ...(instance_id !== undefined && { instance_id }),
    ...(verify_token !== undefined && { verify_token_hash: verifyTokenHash(keyring, verify_token) }),
    ...(app_secret !== undefined && (await keptSecret(q, keyring, id, app_secret))),
  };
  const row = await q.run(patchChannelEndpoint(id, change)).catch((error: unknown) => {
    if (isUniqueViolation(error, 'channel_endpoints_phone_number_id')) throw taken(phone_number_id);
    throw isForeignKeyViolation(error) ? notFound('Instance') : error;
  });
  return found('Channel endpoint', row);
}

/** An app secret has to be found by its hash, and read again to check signatures with. */
async function keptSecret(
  q: TenantQueryable,
  keyring: Keyring,
  id: string,
  app_secret: string,
): Promise<Omit<EndpointSecrets, 'verify_token_hash'>> {
  return {
    app_secret_hash: keyring.lookupHash('app-secret', app_secret),
    sealed_app_secret: await keyring.seal(q, app_secret, appSecretContext(id)),
  };
}

const taken = (phone_number_id: string | undefined) =>
  conflict(`The phone number id ${phone_number_id} is registered already`);
