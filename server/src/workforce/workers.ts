import { spellingsOf } from '../identities/address-spellings.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { forbidden, notFound } from '../platform/errors.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { codeHash } from './bindings.ts';
import { certificationOf, certificationStatus, daysLeft, expiryOf } from './expiry.ts';
import { listTimesheetsOf } from './timesheets.db.ts';
import { meaningOf } from './worker-responses.ts';
import { answerBinding, findWorker, listAssignmentsOf, listShiftsOf, type WorkerRow } from './workers.db.ts';

/** The pair that names a worker, and the instance that asks (specification, section 4.6). */
interface WorkerAddress {
  instance_id: string;
  channel_type: string;
  channel_address: string;
}

/** So many wrong codes reject a binding: a code may be short. */
const WRONG_CODES = 5;
/** The most rows of a worker's list. */
const ROWS = 200;

/** The worker behind an address that is verified; 404 when nobody is, 403 while it is not (contract, section 6). */
export async function getWorker(q: Queryable, address: WorkerAddress): Promise<WorkerRow> {
  const worker = await findWorker(q, spelled(address));
  if (!worker) throw notFound('Worker');
  if (worker.state === 'rejected') {
    throw forbidden('This address was rejected: it has to be bound to the worker anew');
  }
  if (worker.state !== 'verified') throw forbidden('This address is not verified: verify it first');
  return worker;
}

const spelled = ({ channel_address, ...address }: WorkerAddress) => ({
  ...address,
  channel_addresses: spellingsOf(channel_address),
});

/** Takes a worker's answer to "is this address yours?". */
export async function answerVerification(
  q: Queryable,
  keyring: Keyring,
  address: WorkerAddress,
  response: string,
  now: Date,
) {
  const meaning = meaningOf(response);
  const spellings = spelled(address);
  const row = await answerBinding(
    q,
    spellings,
    {
      means_yes: meaning === 'yes',
      means_no: meaning === 'no',
      code_hashes: spellings.channel_addresses.map((channel_address) =>
        codeHash(keyring, { ...address, channel_address }, response),
      ),
      wrong_codes_limit: WRONG_CODES,
    },
    now,
  );
  if (!row) throw notFound('Worker');
  return { ...row, verified: row.state === 'verified' };
}

/** The record's certifications, each with its state in the customer's time zone. */
export const certificationsOf = ({ certifications, timezone }: WorkerRow, now: Date) =>
  certifications.map((element) => {
    const certification = certificationOf(element);
    const days_left = daysLeft(expiryOf(certification), timezone, now);
    return { ...certification, days_left, status: certificationStatus(days_left) };
  });

export const shiftsOf = (q: Queryable, { person_id }: WorkerRow, now: Date) =>
  listShiftsOf(q, person_id, now, ROWS);

export const assignmentsOf = (q: Queryable, { person_id }: WorkerRow, now: Date) =>
  listAssignmentsOf(q, person_id, now, ROWS);

export const timesheetsOf = (q: Queryable, worker: WorkerRow) => listTimesheetsOf(q, worker.person_id, ROWS);
