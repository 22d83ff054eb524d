import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type Call, jsonCall, send, sendExpecting } from '../call.ts';
import { operationsHeaders, type Place, tenantCall } from '../fixtures.ts';
import { sendAll } from '../load/fetch.ts';
import { count, paced, type Tally } from '../load/paced.ts';
import { type Endpoint, webhookCall } from '../workloads/webhook-payload.ts';
import { largeHandshakes, madeUpChain } from './large-handshakes.ts';
import { deployOne, type Person, terminateAll } from './people.ts';

/** Runs until `stop`, and removes its traces. @returns the answers */
export type Flood = (stop: AbortSignal) => Promise<Tally>;

const GUESSES_PER_SECOND = 10;
/** A locked PIN costs no hash, so there are many PINs, and the first of three guesses at each is right. */
const GUESSED = 64;
const RIGHT_EVERY = 3;
const PIN = '4711';
const DEPLOYS = 100;
const WEBHOOKS_PER_SECOND = 200;
/** The service slows an address after a hundred wrong signatures in a minute. */
const OF_ONE_ADDRESS = 90;

export async function createFloods(
  place: Place,
  neighbour: Person,
  { mtls_url, directory }: { mtls_url: string; directory: string },
): Promise<ReadonlyMap<string, Flood>> {
  const { instance_id } = await deployOne(place, neighbour);
  const chain = await madeUpChain(directory);
  const endpoint = await createEndpoint(place, neighbour, instance_id);
  return new Map<string, Flood>([
    ['large TLS handshakes, 3 at a time', (stop) => largeHandshakes(mtls_url, chain, stop)],
    [`${DEPLOYS} queued deploys`, (stop) => queueDeploys(place, neighbour, [instance_id], stop)],
    [`${GUESSES_PER_SECOND * 60} PIN guesses a minute`, await guessPins(place, neighbour, instance_id)],
    [
      `webhooks with wrong signatures, ${WEBHOOKS_PER_SECOND} a second`,
      (stop) => sendWebhooks(place, { ...endpoint, app_secret: randomUUID() }, stop),
    ],
    [
      `webhooks rightly signed, ${WEBHOOKS_PER_SECOND} a second`,
      async (stop) => ({
        ...(await sendWebhooks(place, endpoint, stop)),
        ...(await forgetMessages(place)),
      }),
    ],
  ]);
}

async function queueDeploys(
  place: Place,
  neighbour: Person,
  keep: readonly string[],
  stop: AbortSignal,
): Promise<Tally> {
  const stopped = once(stop, 'abort');
  await sendAll(place.base_url, Array.from({ length: DEPLOYS }, neighbour.deploy), 10);
  if (!stop.aborted) await stopped;
  return terminateAll(place, neighbour, keep);
}

async function guessPins(
  { base_url, installation }: Place,
  { tenant, customer_id }: Person,
  instance_id: string,
): Promise<Flood> {
  const internal = `/internal/v1/instances/${instance_id}`;
  const headers = operationsHeaders(installation);
  const identities: string[] = [];
  while (identities.length < GUESSED) {
    const identity = { channel: 'chatapp', external_id: randomUUID() };
    const add = tenantCall(tenant, 'POST', `/v1/customers/${customer_id}/identities`, identity);
    const { id } = await sendExpecting<{ id: string }>(base_url, add, 201);
    await sendExpecting(
      base_url,
      jsonCall('POST', `${internal}/identities/${id}/pin`, headers, { pin: PIN }),
      201,
    );
    identities.push(id);
  }
  return (stop) =>
    paced(GUESSES_PER_SECOND, stop, async (nth) => {
      const isRight = Math.floor(nth / GUESSED) % RIGHT_EVERY === 0;
      const guess = { pin: isRight ? PIN : '0815', customer_id, identity_id: identities[nth % GUESSED] };
      const { status, json } = await send(
        base_url,
        jsonCall('POST', `${internal}/pin/verify`, headers, guess),
      );
      if (status !== 200) return String(status);
      return (json as { error: string | null }).error ?? 'verified';
    });
}

async function createEndpoint(
  { base_url }: Place,
  { tenant }: Person,
  instance_id: string,
): Promise<Endpoint> {
  const phone_number_id = '109540000001';
  const secrets = { verify_token: randomUUID(), app_secret: randomUUID() };
  const body = { channel: 'chatapp', phone_number_id, instance_id, ...secrets };
  const create = tenantCall(tenant, 'POST', '/v1/channel-endpoints', body);
  const { id } = await sendExpecting<{ id: string }>(base_url, create, 201);
  return { id, phone_number_id, app_secret: secrets.app_secret };
}

let networks = 0;

/** Each few messages come from a new address, as from a botnet or from the channel. */
function sendWebhooks({ base_url }: Place, endpoint: Endpoint, stop: AbortSignal): Promise<Tally> {
  const network = `10.${++networks % 256}`;
  return paced(WEBHOOKS_PER_SECOND, stop, async (nth) => {
    const address = Math.floor(nth / OF_ONE_ADDRESS);
    const forwarded = `${network}.${address >> 7}.${1 + (address & 127)}`;
    const { headers, ...call }: Call = webhookCall(endpoint, nth);
    const { status } = await send(base_url, {
      ...call,
      headers: { ...headers, 'x-forwarded-for': forwarded },
    });
    return String(status);
  });
}

/** Otherwise the next window would begin with a backlog. @returns counts by status */
async function forgetMessages({ admin }: Place): Promise<Tally> {
  const tally: Tally = {};
  await admin.query(`delete from jobs where kind in ('converse', 'send_messages')`);
  const { rows } = await admin.query<{ status: string }>('delete from channel_messages returning status');
  await admin.query('delete from conversations');
  for (const { status } of rows) count(tally, status);
  return tally;
}
