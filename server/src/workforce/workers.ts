import { matchesFor } from '../identities/known-addresses.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { forbidden, found, missing } from '../platform/errors.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { codeHash } from './bindings.ts';
import { certificationStatus, daysLeft, expiryOf, toCertification } from './expiry.ts';
import { applyWorkerResponse, listWorkers, type SpelledAddress, type WorkerRow } from './workers.db.ts';

/** Specification, section 4.6. */
interface WorkerAddress {
  instance_id: string;
  channel_type: string;
  channel_address: string;
  customer_id?: string | undefined;
}

/** Codes may be short, so a binding allows few guesses. */
const WRONG_CODES = 5;

/** 404 for an unknown address, 403 for one that is not verified (contract, section 6). */
export async function getWorker(q: Queryable, address: WorkerAddress): Promise<WorkerRow> {
  const worker = await findWorker(q, await toSpelledAddress(q, address));
  if (worker.state === 'rejected' || (worker.state === 'unverified' && worker.is_handed_over)) {
    throw forbidden('This address was rejected: it has to be bound to the worker anew');
  }
  if (worker.state !== 'verified') throw forbidden('This address is not verified: verify it first');
  return worker;
}

const toSpelledAddress = async (
  q: Queryable,
  { channel_address, customer_id, ...address }: WorkerAddress,
): Promise<SpelledAddress> => ({
  ...address,
  customer_id: customer_id ?? null,
  channel_addresses: await matchesFor(q, address.instance_id, address.channel_type, channel_address),
});

/** Several customers with an unrejected binding need `customer_id`. */
async function findWorker(q: Queryable, address: SpelledAddress): Promise<WorkerRow> {
  const workers = await q.run(listWorkers(address));
  const bound = workers.filter(({ state }) => state !== 'rejected');
  if (bound.length > 1) throw missing('query', 'customer_id');
  return found('Worker', bound[0] ?? workers[0]);
}

export async function answerVerification(
  q: Queryable,
  keyring: Keyring,
  address: WorkerAddress,
  response: string,
) {
  const meaning = meaningOf(response);
  const { binding_id, code_address } = await findWorker(q, await toSpelledAddress(q, address));
  const answer = {
    means_yes: meaning === 'yes',
    means_no: meaning === 'no',
    code_hash: codeHash(keyring, { ...address, channel_address: code_address }, response),
    wrong_codes_limit: WRONG_CODES,
  };
  const binding = found('Worker', await q.run(applyWorkerResponse(binding_id, answer)));
  return { ...binding, verified: binding.state === 'verified' };
}

export const certificationsOf = ({ certifications, timezone }: WorkerRow, now: Date) =>
  certifications.map((element) => {
    const certification = toCertification(element);
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

/** Skin tones and presentation selectors do not change an emoji's meaning. */
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

/** The whole response has to mean yes or no: "yes, who is this?" is unclear. */
export function meaningOf(response: string): 'yes' | 'no' | 'unclear' {
  const answer = normalise(response);
  const tokens = answer.split(' ');
  const matches = (meaning: typeof YES) =>
    meaning.phrases.has(answer) || tokens.every((word) => meaning.words.has(word));
  if (matches(YES)) return 'yes';
  return matches(NO) ? 'no' : 'unclear';
}
