import { claimMessage } from '../conversations/claimed-messages.db.ts';
import { dropWaitingTriggers } from '../conversations/handled-messages.db.ts';
import { spellingsOf } from '../identities/address-spellings.ts';
import type { TenantDb, TenantQueryable } from '../platform/db/queryable.ts';
import type { Keyring } from '../secrets/keyring.ts';
import {
  addOptOuts,
  copyOptOuts,
  hasOptedOut,
  listIdentityAddresses,
  listOptedOut,
  removeOptOuts,
} from './opt-outs.db.ts';

type Hashing = Pick<Keyring, 'lookupHash'>;

/** `stop`: the agent must not write first; `start` takes that back. */
export type OptOutCommand = 'stop' | 'start';

/** Longer than every command with `please` and punctuation. */
const MAX_LENGTH = 40;
const STOP =
  /^(?:stop|stopp|stoppen|stop all|unsubscribe|opt[ -]?out|abmelden|abbestellen|(?:darme de )?baja|arrêt|arrêter|désabonner|désinscrire|parar|descadastrar|disiscrivimi|cancellami|afmelden|uitschrijven)$/i;
const START =
  /^(?:start|unstop|subscribe|opt[ -]?in|anmelden|(?:darme de )?alta|réabonner|inscrire|inscrever|iscrivimi|aanmelden|inschrijven)$/i;

/** undefined when the message has other words. The reference runtime answers the same commands. */
export function optOutCommandIn(text: string | null): OptOutCommand | undefined {
  if (text === null || text.length > MAX_LENGTH) return undefined;
  const plain = text.normalize('NFKC').replaceAll(/[^\p{L}\p{M}\p{N}-]+/gu, ' ');
  const command = plain.replace(/^[- ]*(?:please )?/i, '').replace(/(?: please)?[- ]*$/i, '');
  if (STOP.test(command)) return 'stop';
  return START.test(command) ? 'start' : undefined;
}

/** Applies to the customer that the message was sent to, once per message. */
export async function applyOptOut(
  keyring: Hashing,
  q: TenantDb,
  message: { endpoint_id: string; message_id: string },
  command: OptOutCommand,
): Promise<void> {
  await q.transaction(async (tx) => {
    const claimed = await tx.run(claimMessage(message));
    if (!claimed) return;
    const { conversation_id, customer_id, channel, addresses } = claimed;
    const hashes = hashesOf(keyring, { customer_id, channel }, addresses);
    if (command === 'stop')
      await tx.run(addOptOuts(customer_id, hashes), dropWaitingTriggers(conversation_id));
    else await tx.run(removeOptOuts(customer_id, hashes));
  });
}

/** For a sender with a new address. */
export const copyOptOut = (
  keyring: Hashing,
  place: { customer_id: string; channel: string },
  { from, to }: { from: readonly string[]; to: readonly string[] },
) => copyOptOuts(place.customer_id, hashesOf(keyring, place, from), hashesOf(keyring, place, to));

/** True when the person has opted out under one of these addresses or the identity's. */
export async function isOptedOut(
  keyring: Hashing,
  q: TenantQueryable,
  place: { customer_id: string; channel: string },
  { addresses, identity_id }: { addresses: readonly string[]; identity_id: string | null },
): Promise<boolean> {
  const aliases = await q.run(listIdentityAddresses(identity_id));
  return q.run(hasOptedOut(place.customer_id, hashesOf(keyring, place, [...addresses, ...aliases])));
}

interface Person {
  /** In the caller's list. */
  place: number;
  customer_id: string;
  channel: string;
  /** The identity's, too. */
  addresses: readonly string[];
}

/** The places of those who have opted out. */
export async function findOptedOut(
  keyring: Hashing,
  q: TenantQueryable,
  people: readonly Person[],
): Promise<ReadonlySet<number>> {
  const hashed = people.map(({ place, addresses, ...person }) => {
    const hashes = hashesOf(keyring, person, addresses).map((hash) => hash.toString('hex'));
    return { place, customer_id: person.customer_id, hashes };
  });
  return new Set(await q.run(listOptedOut(hashed)));
}

/** All spellings of an address have the same hash. */
const hashesOf = (
  keyring: Hashing,
  { customer_id, channel }: { customer_id: string; channel: string },
  addresses: readonly string[],
): Buffer[] => {
  const chosen = new Set(addresses.map((address) => spellingsOf(address).toSorted()[0] ?? address));
  return [...chosen].map((address) => keyring.lookupHash('opt-out', `${customer_id}:${channel}:${address}`));
};
