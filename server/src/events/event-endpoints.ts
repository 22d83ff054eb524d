import { randomBytes, randomUUID } from 'node:crypto';
import type { TenantDb, TenantQueryable } from '../platform/db/queryable.ts';
import { found, invalid } from '../platform/errors.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { openedOr } from '../secrets/unreadable.ts';
import { failWaiting } from './event-deliveries.db.ts';
import {
  DEFAULT_OVERLAP_SECONDS,
  type EventEndpointCreate,
  type EventEndpointUpdate,
} from './event-endpoints.contract.ts';
import {
  type EventEndpointRow,
  insertEventEndpoint,
  patchEventEndpoint,
  rotateEventSecret,
} from './event-endpoints.db.ts';
import type { EventSender } from './event-sender.port.ts';

export interface EventEndpointServices {
  keyring: Pick<Keyring, 'seal' | 'open'>;
  eventSender: Pick<EventSender, 'mayName'>;
}

/** Binds a sealed value to its endpoint: in another row, it does not open. */
export const urlContext = (id: string) => `event-endpoint-url:${id}`;
export const signingContext = (id: string) => `event-endpoint-secret:${id}`;

/** Standard Webhooks: 24 to 64 bytes in base64. */
const mintSigningSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

/** 422 for an address that is not public. @returns the answer, with the secret */
export async function createEventEndpoint(
  services: EventEndpointServices,
  q: TenantQueryable,
  { url, events, description = null, format = 'standard', is_active = true }: EventEndpointCreate,
) {
  requirePublic(services, url);
  const id = randomUUID();
  const signing_secret = mintSigningSecret();
  const sealed_url = await services.keyring.seal(q, url, urlContext(id));
  const sealed_secret = await services.keyring.seal(q, signing_secret, signingContext(id));
  const row = await q.run(
    insertEventEndpoint({ id, sealed_url, events, description, format, is_active, sealed_secret }),
  );
  return { ...(await shownEndpoint(services, q, row)), signing_secret };
}

export async function updateEventEndpoint(
  services: EventEndpointServices,
  q: TenantDb,
  id: string,
  { url, ...change }: EventEndpointUpdate,
) {
  if (url !== undefined) requirePublic(services, url);
  const sealed_url = url === undefined ? undefined : await services.keyring.seal(q, url, urlContext(id));
  const { row } = await q.run({
    row: patchEventEndpoint(id, { ...change, sealed_url }),
    failed: failWaiting(id),
  });
  return shownEndpoint(services, q, found('Event endpoint', row));
}

export async function rotateSigningSecret(
  services: EventEndpointServices,
  q: TenantQueryable,
  id: string,
  overlap_seconds: number | null | undefined,
) {
  const signing_secret = mintSigningSecret();
  const sealed_secret = await services.keyring.seal(q, signing_secret, signingContext(id));
  const row = await q.run(rotateEventSecret(id, sealed_secret, overlap_seconds ?? DEFAULT_OVERLAP_SECONDS));
  return { ...(await shownEndpoint(services, q, found('Event endpoint', row))), signing_secret };
}

/** As clients see it. */
export async function shownEndpoint(
  { keyring }: Pick<EventEndpointServices, 'keyring'>,
  q: TenantQueryable,
  { sealed_url, hides_url, ...row }: EventEndpointRow,
) {
  const url = await openedOr(keyring.open(q, sealed_url, urlContext(row.id)), null);
  return { ...row, url: url !== null && hides_url ? new URL(url).host : url };
}

function requirePublic({ eventSender }: EventEndpointServices, url: string): void {
  if (!eventSender.mayName(url))
    throw invalid(['body', 'url'], 'Input should be an https URL of a public address');
}
