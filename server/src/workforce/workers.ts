import { spellingsOf } from '../identities/address-spellings.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { forbidden, found, missing } from '../platform/errors.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { codeHash } from './bindings.ts';
import { certificationOf, certificationStatus, daysLeft, expiryOf } from './expiry.ts';
import { answerBinding, listWorkers, type SpelledAddress, type WorkerRow } from './workers.db.ts';

/** The pair that names a worker, and the instance that asks (specification, section 4.6). */
interface WorkerAddress {
  instance_id: string;
  channel_type: string;
  channel_address: string;
  customer_id?: string | undefined;
}

/** A code may be short, so this many wrong ones reject a binding. */
const WRONG_CODES = 5;

/** The worker behind a verified address: 404 for an unknown address, 403 for one that is not verified (contract, section 6). */
export async function getWorker(q: Queryable, address: WorkerAddress): Promise<WorkerRow> {
  const worker = await findWorker(q, spelled(address));
  if (worker.state === 'rejected') {
    throw forbidden('This address was rejected: it has to be bound to the worker anew');
  }
  if (worker.state !== 'verified') throw forbidden('This address is not verified: verify it first');
  return worker;
}

const spelled = ({ channel_address, customer_id, ...address }: WorkerAddress): SpelledAddress => ({
  ...address,
  customer_id: customer_id ?? null,
  channel_addresses: spellingsOf(channel_address),
});

/**
 * The worker behind an address, whose binding may still be unverified. A person who works for several customers of the
 * instance has to be asked for with one of them; a rejected binding does not count beside others.
 */
async function findWorker(q: Queryable, address: SpelledAddress): Promise<WorkerRow> {
  const workers = await q.run(listWorkers(address));
  const bound = workers.filter(({ state }) => state !== 'rejected');
  if (bound.length > 1) throw missing('query', 'customer_id');
  return found('Worker', bound[0] ?? workers[0]);
}

/** Takes a worker's response to "is this address yours?". */
export async function answerVerification(
  q: Queryable,
  keyring: Keyring,
  address: WorkerAddress,
  response: string,
) {
  const meaning = meaningOf(response);
  const spellings = spelled(address);
  const { binding_id, code_address } = await findWorker(q, spellings);
  const addresses = code_address === null ? spellings.channel_addresses : [code_address];
  const code_hashes = addresses.map((channel_address) =>
    codeHash(keyring, { ...address, channel_address }, response),
  );
  const answer = {
    means_yes: meaning === 'yes',
    means_no: meaning === 'no',
    code_hashes,
    wrong_codes_limit: WRONG_CODES,
  };
  const binding = found('Worker', await q.run(answerBinding(binding_id, answer)));
  return { ...binding, verified: binding.state === 'verified' };
}

/** The record's certifications, each with its state in the customer's time zone. */
export const certificationsOf = ({ certifications, timezone }: WorkerRow, now: Date) =>
  certifications.map((element) => {
    const certification = certificationOf(element);
    const days_left = daysLeft(expiryOf(certification), timezone, now);
    return { ...certification, days_left, status: certificationStatus(days_left) };
  });

const words = (text: string) => new Set(text.split(' '));
const phrases = (text: string) => new Set(text.split('|'));
const YES = {
  words: words(
    'yes y yep yeah yup ja j jawohl si sí oui ok okay sure accept agree agreed approve approved confirm confirmed correct right 1 true 👍 ✅ ✔',
  ),
  phrases: phrases(
    'yes please|yes it is|yes it is me|yes that is me|yes i confirm|it is me|that is me|i confirm|i agree',
  ),
};
const NO = {
  words: words(
    'no n nope nah nein non nee não nao wrong decline declined deny reject rejected never stop 0 false 👎 ❌ ✖',
  ),
  phrases: phrases(
    'no thanks|no thank you|no it is not|no it is not me|no that is not me|it is not me|that is not me|not me|not mine',
  ),
};

/** Skin tones and presentation selectors do not change the meaning of an emoji. */
const EMOJI_STYLE = /[\u{1F3FB}-\u{1F3FF}]|\uFE0E|\uFE0F/gu;

const normalise = (response: string) =>
  response
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(EMOJI_STYLE, '')
    .replaceAll(/\p{Extended_Pictographic}/gu, ' $& ')
    .replaceAll('’', "'")
    .replaceAll("isn't", 'is not')
    .replaceAll("'s", ' is')
    .replaceAll(/[\s.!,]+/g, ' ')
    .trim();

/** The whole response has to mean yes or no: "yes, who is this?" means neither. Case, punctuation and spacing do not count. */
export function meaningOf(response: string): 'yes' | 'no' | 'unclear' {
  const answer = normalise(response);
  const said = answer.split(' ');
  const says = (meaning: typeof YES) =>
    meaning.phrases.has(answer) || said.every((word) => meaning.words.has(word));
  if (says(YES)) return 'yes';
  return says(NO) ? 'no' : 'unclear';
}
