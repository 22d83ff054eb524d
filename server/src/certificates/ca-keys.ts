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
  retireOtherCaKey,
} from './ca-keys.db.ts';
import { atWork, issuingEnd, newTerms, ROOT_MS } from './ca-terms.ts';
import type { CertificateTerms, CertifiedKey, GivenAuthority, X509 } from './x509.port.ts';

export interface CaServices {
  db: Database;
  keyring: Keyring;
  x509: X509;
}

/** The key and certificate in the clear; undefined when the private key is kept elsewhere. */
export function openCaKey(keyring: Keyring, key: CaKeyRow): CertifiedKey | undefined {
  if (!key.sealed_private_key) return undefined;
  const { id, cert_pem, sealed_private_key } = key;
  return { cert_pem, private_key_pem: keyring.openServiceSecret(sealed_private_key, caKeyContext(id)) };
}

/**
 * Runs one change of the keys at work at a time. A row that does not exist yet cannot be locked, and a new key can
 * violate two constraints, of which `on conflict` handles one.
 */
const oneAtATime = <T>({ db }: CaServices, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.system.transaction(async (tx) => {
    await tx.run(lockCaKeys());
    return work(tx);
  });

/** Creates missing keys. Copies of the service that start at once end up with the same keys. */
export async function makeCaKeys(services: CaServices): Promise<void> {
  if (atWork(await services.db.system.run(listCaKeys()), 'issuing')) return;
  await oneAtATime(services, async (tx) => {
    const keys = await tx.run(listCaKeys());
    if (atWork(keys, 'issuing')) return;
    const root = atWork(keys, 'root') ?? (await makeRoot(services, tx));
    await tx.run(insertCaKey(await newIssuingKey(services, root, tx.now)));
  });
}

async function makeRoot(services: CaServices, tx: Tx): Promise<CaKeyRow> {
  const terms = newTerms(tx.now, tx.now.getTime() + ROOT_MS);
  const common_name = `Agent Control Plane Root CA ${terms.serial.slice(0, 8)}`;
  const made = await services.x509.createRoot({ ...terms, common_name });
  const root = sealed(services, { kind: 'root', ...terms, ...made, issued_by: null });
  await tx.run(insertCaKey(root));
  return { ...root, retired_at: null };
}

/** Puts an authority given by file to work. The keys before stay trusted until what they issued has expired. */
export async function adoptCaKeys(services: CaServices, given: GivenAuthority): Promise<void> {
  const { root, ...issuing } = given;
  const rootKey = sealed(services, { kind: 'root', ...root, private_key_pem: null, issued_by: null });
  await oneAtATime(services, async (tx) => {
    const { issued_by } = await tx.run({
      retired: retireOtherCaKey(rootKey),
      issued_by: adoptCaKey(rootKey),
    });
    const issuingKey = sealed(services, { kind: 'issuing', ...issuing, issued_by });
    await tx.run(retireOtherCaKey(issuingKey), adoptCaKey(issuingKey));
  });
}

/**
 * Replaces the issuing key. The key before stays trusted until what it issued has expired. Concurrent calls can make
 * one replacement and return the same key.
 * @returns the key that is at work afterwards
 */
export async function replaceIssuingKey(services: CaServices): Promise<CaKeyRow> {
  const q = services.db.system;
  const keys = await q.run(listCaKeys());
  const [root, issuing] = [atWork(keys, 'root'), atWork(keys, 'issuing')];
  if (!root || !issuing) throw new Error('The certificate authority was not opened');
  if (!root.sealed_private_key) {
    throw conflict('The certificate authority was given by file: give another file to replace its key');
  }
  await underCurrentKey(async () => {
    const key = await newIssuingKey(services, root, q.now);
    await oneAtATime(services, (tx) => tx.run(replaceCaKey(issuing.id, key)));
  });
  return atWork(await q.run(listCaKeys()), 'issuing') as CaKeyRow;
}

async function newIssuingKey(services: CaServices, root: CaKeyRow, now: Date): Promise<NewCaKey> {
  const rootKey = openCaKey(services.keyring, root);
  if (!rootKey) throw new Error('The root’s key is kept elsewhere');
  const issuer = await services.x509.openIssuer(rootKey);
  const terms = newTerms(now, issuingEnd(root, now));
  // The name is unique: tools look up the issuer of a certificate or a list by name.
  const common_name = `Agent Control Plane Issuing CA ${terms.serial.slice(0, 8)}`;
  const made = await issuer.issueAuthority({ ...terms, common_name });
  return sealed(services, { kind: 'issuing', ...terms, ...made, issued_by: root.id });
}

type Unsealed = CertificateTerms &
  Pick<NewCaKey, 'kind' | 'cert_pem' | 'issued_by'> & { private_key_pem: string | null };

function sealed({ keyring }: CaServices, { private_key_pem, ...key }: Unsealed): NewCaKey {
  const id = randomUUID();
  return {
    ...key,
    id,
    cert_sha256: sha256(new X509Certificate(key.cert_pem).raw),
    sealed_private_key:
      private_key_pem === null ? null : keyring.sealServiceSecret(private_key_pem, caKeyContext(id)),
  };
}
