import { timingSafeEqual } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Database } from '../platform/db/database.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { hmac } from '../secrets/sealing.ts';
import type { Channel } from './channel-endpoints.contract.ts';
import { listAppSecrets, type SealedAppSecret } from './channel-endpoints.db.ts';

/** Bytes and the signature that came with them. */
export interface Signed {
  bytes: Buffer;
  signature: Buffer;
}

const PAGE = 100;
/** How many secrets are tried before others get a turn: 1 MiB takes about a millisecond each. */
const TRIED_AT_ONCE = 10;

/** What an app secret is sealed for. */
export const appSecretContext = (endpoint_id: string) => `channel-endpoint:${endpoint_id}`;

/** The signature of a header `sha256=<64 hex digits>`; undefined when it is anything else. */
export function readSignature(header: string | string[] | undefined): Buffer | undefined {
  const hex = typeof header === 'string' && /^sha256=([0-9a-f]{64})$/i.exec(header)?.[1];
  return hex ? Buffer.from(hex, 'hex') : undefined;
}

export const isSignedWith = (app_secret: Buffer, { bytes, signature }: Signed): boolean =>
  timingSafeEqual(hmac(app_secret, bytes), signature);

/** Which of the endpoints have the secret that the bytes were signed with, and that secret. */
export async function endpointsThatSigned<E extends SealedAppSecret>(
  services: { db: Database; keyring: Keyring },
  signed: Signed,
  endpoints: readonly E[],
): Promise<(E & { app_secret: Buffer })[]> {
  /** By the hashes of the secrets. */
  const signers = new Map<string, Buffer | undefined>();
  for (const { id, tenant_id, app_secret_hash, sealed_app_secret } of endpoints) {
    const key = app_secret_hash.toString('hex');
    if (signers.has(key)) continue;
    const q = services.db.tenant(tenant_id);
    const secret = await services.keyring.open(q, sealed_app_secret, appSecretContext(id));
    const app_secret = Buffer.from(secret);
    signers.set(key, isSignedWith(app_secret, signed) ? app_secret : undefined);
    if (signers.size % TRIED_AT_ONCE === 0) await setImmediate();
  }
  return endpoints.flatMap((endpoint) => {
    const app_secret = signers.get(endpoint.app_secret_hash.toString('hex'));
    return app_secret ? [{ ...endpoint, app_secret }] : [];
  });
}

/** Whether any endpoint of the channel has the secret that the bytes were signed with. */
export async function isSignedByAny(
  services: { db: Database; keyring: Keyring },
  channel: Channel,
  signed: Signed,
): Promise<boolean> {
  let after = Buffer.alloc(0);
  for (;;) {
    const secrets = await services.db.system.run(listAppSecrets(channel, after, PAGE));
    if ((await endpointsThatSigned(services, signed, secrets)).length > 0) return true;
    const last = secrets.at(-1);
    if (!last || secrets.length < PAGE) return false;
    after = Buffer.from(last.app_secret_hash);
  }
}
