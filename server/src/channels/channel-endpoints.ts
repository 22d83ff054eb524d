import { randomUUID } from 'node:crypto';
import { holdPlaces, placeMessages } from '../conversations/placed-messages.db.ts';
import { instanceExists } from '../instances/instances.db.ts';
import { isForeignKeyViolation, isUniqueViolation } from '../platform/db/constraint-errors.ts';
import type { Queryable, TenantDb, TenantQueryable } from '../platform/db/queryable.ts';
import { conflict, forbidden, found, invalid, missing, notFound } from '../platform/errors.ts';
import type { Keyring } from '../secrets/keyring.ts';
import type { Channel } from './channel-endpoints.contract.ts';
import {
  acceptVerifyToken,
  type ChannelEndpointRow,
  type EndpointChange,
  type EndpointSecrets,
  findEndpointTarget,
  findNumberOwner,
  insertChannelEndpoint,
  patchChannelEndpoint,
} from './channel-endpoints.db.ts';
import { sendWaitingOf } from './outbox.db.ts';
import { appSecretContext } from './webhook-signature.ts';

interface Settings {
  phone_number_id: string;
  instance_id: string;
  verify_token: string;
  app_secret: string;
  customer_id?: string | null | undefined;
  connection_name?: string | null | undefined;
}

export const verifyTokenHash = (keyring: Keyring, token: string) => keyring.lookupHash('verify-token', token);

/** The channel verifies the webhook's address. 403 unless an endpoint of any tenant has the token. */
export async function expectVerifyToken(
  q: Queryable,
  keyring: Keyring,
  channel: Channel,
  { mode, token }: { mode: string; token: string | undefined },
): Promise<void> {
  const matches =
    mode === 'subscribe' &&
    token !== undefined &&
    (await q.run(acceptVerifyToken(channel, verifyTokenHash(keyring, token))));
  if (!matches) throw forbidden('The verify token does not match');
}

/** Other tenants may have registered the same number (contract, section 17). */
export async function createChannelEndpoint(
  q: TenantQueryable,
  keyring: Keyring,
  settings: Settings & { channel: Channel },
  isNamed: boolean,
): Promise<ChannelEndpointRow> {
  const { channel, phone_number_id, instance_id, verify_token, app_secret } = settings;
  const { customer_id = null, connection_name = null } = settings;
  await q.run(instanceExists(instance_id));
  await expectOwner(q, instance_id, customer_id);
  const id = randomUUID();
  const secrets = {
    verify_token_hash: verifyTokenHash(keyring, verify_token),
    ...(await keptSecret(q, keyring, id, app_secret)),
  };
  const { row } = await q.run({
    instance: instanceExists(instance_id),
    row: insertChannelEndpoint(
      { id, channel, phone_number_id, instance_id, customer_id, connection_name, ...secrets },
      isNamed,
    ),
  });
  if (!row) throw taken(phone_number_id);
  return row;
}

/** Waiting messages move with the endpoint to its new instance or customer. */
export async function updateChannelEndpoint(
  q: TenantDb,
  keyring: Keyring,
  id: string,
  settings: Partial<Settings>,
  isNamed: boolean,
): Promise<ChannelEndpointRow> {
  const { phone_number_id, verify_token, app_secret, ...rest } = settings;
  const change: EndpointChange = {
    ...rest,
    phone_number_id,
    ...(verify_token !== undefined && { verify_token_hash: verifyTokenHash(keyring, verify_token) }),
    ...(app_secret !== undefined && (await keptSecret(q, keyring, id, app_secret))),
  };
  const changed = q.transaction(async (tx) => {
    const before = found('Channel endpoint', await tx.run(findEndpointTarget(id)));
    const target = { ...before, ...definedOf(rest) };
    await expectOwner(tx, target.instance_id, target.customer_id);
    const row = found('Channel endpoint', await tx.run(patchChannelEndpoint(id, change, isNamed)));
    const hasMoved = target.instance_id !== before.instance_id || target.customer_id !== before.customer_id;
    if (hasMoved) await tx.run(holdPlaces({ endpoint_id: id }), placeMessages({ endpoint_id: id }));
    if (rest.connection_name !== undefined) await tx.run(sendWaitingOf(id));
    return row;
  });
  return changed.catch((error: unknown) => {
    if (isUniqueViolation(error, 'channel_endpoints_phone_number_id')) throw taken(phone_number_id);
    throw isForeignKeyViolation(error) ? notFound('Instance') : error;
  });
}

const GUESSED_BELOW = 16;

/** Adds `warnings` that name short secrets, which are taken: the channel may have chosen them. */
export function withWarnings<Row extends object>(
  row: Row,
  given: { verify_token?: string | undefined; app_secret?: string | undefined },
): Row & { warnings?: string[] } {
  const warnings = (['verify_token', 'app_secret'] as const)
    .filter((name) => (given[name]?.length ?? GUESSED_BELOW) < GUESSED_BELOW)
    .map((name) => `${name} is shorter than ${GUESSED_BELOW} characters and can be guessed`);
  return { ...row, ...(warnings.length > 0 && { warnings }) };
}

/** Required on a shared instance, optional on a dedicated one. */
async function expectOwner(q: Queryable, instance_id: string, customer_id: string | null): Promise<void> {
  const owner = found('Instance', await q.run(findNumberOwner(instance_id, customer_id)));
  if (customer_id === null) {
    if (owner.required) throw missing('body', 'customer_id');
    return;
  }
  if (!owner.served) throw invalid(['body', 'customer_id'], 'The instance does not serve this customer');
}

const definedOf = ({ instance_id, customer_id }: Pick<Partial<Settings>, 'instance_id' | 'customer_id'>) => ({
  ...(instance_id !== undefined && { instance_id }),
  ...(customer_id !== undefined && { customer_id }),
});

/** The hash finds equal secrets; the sealed secret is opened to verify signatures. */
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
