import { randomUUID, X509Certificate } from 'node:crypto';
import type { Database } from '../platform/db/database.ts';
import type { Tx } from '../platform/db/queryable.ts';
import { conflict } from '../platform/errors.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { caKeyContext } from '../secrets/keyring.ts';
import { withCurrentKey } from '../secrets/master-keys.ts';
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
import { activeKey, issuingEnd, newTerms, ROOT_MS } from './ca-terms.ts';
import type { CertificateTerms, CertifiedKey, GivenAuthority, X509 } from './x509.port.ts';

export interface CaServices {
  db: Database;
  keyring: Keyring;
  x509: X509;
}

export function openCaKey(keyring: Keyring, key: CaKeyRow): CertifiedKey | undefined {
  if (!key.sealed_private_key) return undefined;
  const { id, cert_pem, sealed_private_key } = key;
  return { cert_pem, private_key_pem: keyring.openServiceSecret(sealed_private_key, caKeyContext(id)) };
}

/** Advisory, because a missing row cannot be locked and `on conflict` handles only one of two constraints. */
const withKeysLocked = <T>({ db }: CaServices, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.system.transaction(async (tx) => {
    await tx.run(lockCaKeys());
    return work(tx);
  });

/** Processes that start at once end up with the same keys. */
export async function makeCaKeys(services: CaServices): Promise<void> {
  if (activeKey(await services.db.system.run(listCaKeys()), 'issuing')) return;
  await withKeysLocked(services, async (tx) => {
    const keys = await tx.run(listCaKeys());
    if (activeKey(keys, 'issuing')) return;
    const root = activeKey(keys, 'root') ?? (await makeRoot(services, tx));
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

/** Earlier keys stay trusted until what they issued has expired. */
export async function adoptCaKeys(services: CaServices, given: GivenAuthority): Promise<void> {
  const { root, ...issuing } = given;
  const rootKey = sealed(services, { kind: 'root', ...root, private_key_pem: null, issued_by: null });
  await withKeysLocked(services, async (tx) => {
    const { issued_by } = await tx.run({
      retired: retireOtherCaKey(rootKey),
      issued_by: adoptCaKey(rootKey),
    });
    const issuingKey = sealed(services, { kind: 'issuing', ...issuing, issued_by });
    await tx.run(retireOtherCaKey(issuingKey), adoptCaKey(issuingKey));
  });
}

/**
 * The previous key stays trusted until what it issued has expired. Concurrent calls may make one replacement.
 * @returns the active key
 */
export async function replaceIssuingKey(services: CaServices): Promise<CaKeyRow> {
  const q = services.db.system;
  const keys = await q.run(listCaKeys());
  const [root, issuing] = [activeKey(keys, 'root'), activeKey(keys, 'issuing')];
  if (!root || !issuing) throw new Error('The certificate authority was not opened');
  if (!root.sealed_private_key) {
    throw conflict('The certificate authority was given by file: give another file to replace its key');
  }
  await withCurrentKey(async () => {
    const key = await newIssuingKey(services, root, q.now);
    await withKeysLocked(services, (tx) => tx.run(replaceCaKey(issuing.id, key)));
  });
  return activeKey(await q.run(listCaKeys()), 'issuing') as CaKeyRow;
}

async function newIssuingKey(services: CaServices, root: CaKeyRow, now: Date): Promise<NewCaKey> {
  const rootKey = openCaKey(services.keyring, root);
  if (!rootKey) throw new Error('The root’s key is kept elsewhere');
  const issuer = await services.x509.openIssuer(rootKey);
  const terms = newTerms(now, issuingEnd(root, now));
  // Tools look up the issuer of a certificate or a list by name, so the name is unique.
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
