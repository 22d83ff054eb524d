import { randomUUID, X509Certificate } from 'node:crypto';
import type { Database } from '../platform/db/database.ts';
import type { Tx } from '../platform/db/queryable.ts';
import { conflict } from '../platform/errors.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { caKeyContext } from '../secrets/keyring.ts';
import { underCurrentKey } from '../secrets/master-keys.ts';
import { sha256 } from '../secrets/sealing.ts';
import {
  adoptCaKey,
  type CaKeyRow,
  insertCaKey,
  listCaKeys,
  lockCaKeys,
  type NewCaKey,
  replaceCaKey,
} from './ca-keys.db.ts';
import { atWork, issuingEnd, newTerms, ROOT_MS } from './ca-terms.ts';
import type { CertificateTerms, CertifiedKey, GivenAuthority, X509 } from './x509.port.ts';

/** What the keys of the authority are kept with. */
export interface CaTools {
  db: Database;
  keyring: Keyring;
  x509: X509;
}

/** A key of the authority as it is used; undefined where it is kept elsewhere. */
export function openCaKey(keyring: Keyring, key: CaKeyRow): CertifiedKey | undefined {
  if (!key.sealed_private_key) return undefined;
  const { id, cert_pem, sealed_private_key } = key;
  return { cert_pem, private_key_pem: keyring.openServiceSecret(sealed_private_key, caKeyContext(id)) };
}

/**
 * Changes which keys are at work, one transaction after the other: a row that is not there yet cannot be locked, and
 * putting a key to work can break two constraints, of which `on conflict` heeds one.
 */
const oneAtATime = <T>({ db }: CaTools, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.transaction({ role: 'system' }, async (tx) => {
    await lockCaKeys(tx);
    return work(tx);
  });

/** Makes the keys that are missing. Copies of the service that start at once end up with the same ones. */
export async function makeCaKeys(tools: CaTools, now: Date): Promise<void> {
  if (atWork(await listCaKeys(tools.db.system), 'issuing')) return;
  await oneAtATime(tools, async (tx) => {
    const keys = await listCaKeys(tx);
    if (atWork(keys, 'issuing')) return;
    const root = atWork(keys, 'root') ?? (await makeRoot(tools, tx, now));
    await insertCaKey(tx, await newIssuingKey(tools, root, now));
  });
}

async function makeRoot(tools: CaTools, tx: Tx, now: Date): Promise<CaKeyRow> {
  const terms = newTerms(now, now.getTime() + ROOT_MS);
  const common_name = `Agent Control Plane Root CA ${terms.serial.slice(0, 8)}`;
  const made = await tools.x509.createRoot({ ...terms, common_name });
  const root = sealed(tools, { kind: 'root', ...terms, ...made, issued_by: null });
  await insertCaKey(tx, root);
  return { ...root, retired_at: null };
}

/** Puts the authority to work that was given by file. What is there already stays trusted for its time. */
export async function adoptCaKeys(tools: CaTools, given: GivenAuthority, now: Date): Promise<void> {
  const { root, ...issuing } = given;
  const rootKey = sealed(tools, { kind: 'root', ...root, private_key_pem: null, issued_by: null });
  await oneAtATime(tools, async (tx) => {
    const issued_by = await adoptCaKey(tx, rootKey, now);
    await adoptCaKey(tx, sealed(tools, { kind: 'issuing', ...issuing, issued_by }), now);
  });
}

/**
 * Puts a new issuing key to work. The one before stays trusted until what it issued has run out. Of two at once, one
 * does it and both get the same.
 * @returns the key at work then
 */
export async function replaceIssuingKey(tools: CaTools, now: Date): Promise<CaKeyRow> {
  const q = tools.db.system;
  const keys = await listCaKeys(q);
  const [root, issuing] = [atWork(keys, 'root'), atWork(keys, 'issuing')];
  if (!root || !issuing) throw new Error('The certificate authority was not opened');
  if (!root.sealed_private_key) {
    throw conflict('The certificate authority was given by file: give another file to replace its key');
  }
  await underCurrentKey(async () => {
    const key = await newIssuingKey(tools, root, now);
    await oneAtATime(tools, (tx) => replaceCaKey(tx, issuing.id, key, now));
  });
  return atWork(await listCaKeys(q), 'issuing') as CaKeyRow;
}

async function newIssuingKey(tools: CaTools, root: CaKeyRow, now: Date): Promise<NewCaKey> {
  const rootKey = openCaKey(tools.keyring, root);
  if (!rootKey) throw new Error('The root’s key is kept elsewhere');
  const issuer = await tools.x509.openIssuer(rootKey);
  const terms = newTerms(now, issuingEnd(root, now));
  // A name of its own: who looks for the issuer of a certificate or a list finds one alone.
  const common_name = `Agent Control Plane Issuing CA ${terms.serial.slice(0, 8)}`;
  const made = await issuer.issueAuthority({ ...terms, common_name });
  return sealed(tools, { kind: 'issuing', ...terms, ...made, issued_by: root.id });
}

type Unsealed = CertificateTerms &
  Pick<NewCaKey, 'kind' | 'cert_pem' | 'issued_by'> & { private_key_pem: string | null };

function sealed({ keyring }: CaTools, { private_key_pem, ...key }: Unsealed): NewCaKey {
  const id = randomUUID();
  return {
    ...key,
    id,
    cert_sha256: sha256(new X509Certificate(key.cert_pem).raw),
    sealed_private_key:
      private_key_pem === null ? null : keyring.sealServiceSecret(private_key_pem, caKeyContext(id)),
  };
}
