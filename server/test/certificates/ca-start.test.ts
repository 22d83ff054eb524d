import { randomBytes, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readAuthorityFiles } from '../../src/adapters/x509/authority-files.ts';
import { CertificateAuthority } from '../../src/certificates/certificate-authority.ts';
import { issueCertificate } from '../../src/certificates/certificates.ts';
import { RevocationListKeeper } from '../../src/certificates/revocation-lists.ts';
import type { CertificateRequest, GivenAuthority } from '../../src/certificates/x509.port.ts';
import { ConfigError } from '../../src/platform/setting-values.ts';
import { newKey } from '../support/mtls.ts';
import { type KeyName, OpenSsl } from '../support/openssl.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

const AUTHORITY = ['-addext', 'keyUsage=critical,keyCertSign,cRLSign'];
const instance_id = '00000000-0000-4000-8000-000000000000';

let openssl: OpenSsl;
let request: CertificateRequest;
let service: TestService;
let tenant: TestTenant;
const master_key = randomBytes(32);

beforeAll(async () => {
  openssl = await OpenSsl.open();
  ({ request } = newKey());
  service = await startTestService({ master_key, runsJobs: false });
  tenant = await service.createTenant();
});
beforeEach(() => service.database.query('delete from ca_keys'));
afterAll(async () => {
  await service.stop();
  await openssl.close();
});

/** Opens the authority like a process that starts now. */
const open = (given?: GivenAuthority) => CertificateAuthority.open(service.service.services, given);

async function issue(authority: CertificateAuthority): Promise<string> {
  const { services } = service.service;
  const q = services.db.tenant(tenant.tenant_id);
  return (await issueCertificate({ ...services, authority }, q, instance_id, request)).cert_pem;
}

const activeKeys = () =>
  service.database.query<{ cert_pem: string }>(
    'select cert_pem from ca_keys where retired_at is null order by kind',
  );

describe('processes that share a database', () => {
  it('share one authority when they start at once', async () => {
    const copies = await Promise.all([open(), open(), open()]);
    const [ca = '', ...others] = await Promise.all(copies.map((copy) => copy.trustBundle()));
    expect(new Set(others)).toEqual(new Set([ca]));
    expect(await service.database.query('select from ca_keys')).toHaveLength(2);
    for (const copy of copies) {
      const { pem: crl } = await new RevocationListKeeper(service.service.services.db, copy).lists();
      expect(await openssl.verify(await issue(copy), { ca, crl })).toMatchObject({ ok: true });
    }
  });

  it('restart with the same authority', async () => {
    const before = await (await open()).trustBundle();
    expect(await (await open()).trustBundle()).toBe(before);
  });

  it('learn of a replaced key by notification', async () => {
    const [one, other] = [await open(), await open()];
    const before = await other.trustBundle();
    const { serial } = await one.replaceIssuingKey();
    // The keys' creation notifies as well, and may do so only now.
    await service.service.services.notifications.caughtUp();
    expect(await other.trustBundle()).not.toBe(before);
    expect((await other.current()).row.serial).toBe(serial);
  });
});

interface FileOptions {
  name?: string;
  kind?: KeyName;
  signs?: string[];
  days?: string;
  above?: string[];
}

/** Made with openssl, as an operator does. */
async function makeFiles(options: FileOptions = {}) {
  const { name = 'Given', kind = 'P-256', signs = AUTHORITY, days = '100', above = AUTHORITY } = options;
  const [rootKey, issuingKey] = [await openssl.key(kind), await openssl.key('P-384')];
  const selfSigned = ['req', '-x509', '-new', '-key'];
  const root = await openssl.text(...selfSigned, rootKey, '-subj', `/CN=${name} root`, ...above);
  const below = ['-days', days, ...signs, '-CA', await openssl.file(root), '-CAkey', rootKey];
  const issuing = await openssl.text(...selfSigned, issuingKey, '-subj', `/CN=${name} issuing`, ...below);
  return { root, issuing, rootKey, issuingKey };
}

const read = async (cert: string, key_file: string, now = new Date()) =>
  readAuthorityFiles({ cert_file: await openssl.file(cert), key_file }, now);

describe('an authority given by file', () => {
  it('issues and revokes in every process without storing a root key', async () => {
    const { root, issuing, issuingKey } = await makeFiles({ kind: 'RSA-2048' });
    const givenAuthority = await read(`some text\n${issuing}${root}`, issuingKey);
    const { database } = service;
    const one = await startTestService({ database, master_key, runsJobs: false, givenAuthority });
    const other = await open();
    const ca = issuing + root;
    expect((await one.anonymous.get('/v1/public/ca.pem')).text).toBe(ca);
    expect(await other.trustBundle()).toBe(ca);
    for (const authority of [one.service.services.authority, other]) {
      const verdict = await openssl.verify(await issue(authority), { ca }, '-purpose', 'sslclient');
      expect(verdict).toMatchObject({ ok: true });
    }
    const crl = await openssl.file((await one.anonymous.get('/v1/public/ca.crl')).text);
    const args = ['crl', '-in', crl, '-noout', '-text', '-CAfile', await openssl.file(ca)];
    expect(await openssl.text(...args)).toContain('verify OK');
    expect((await one.operations.post('/internal/v1/ca/rotate')).status).toBe(409);
    await one.service.stop();
    expect(
      await database.query(`select from ca_keys where kind = 'root' and sealed_private_key is null`),
    ).toHaveLength(1);
  });

  it('replaces the previous one with an overlap', async () => {
    const [first, second] = [await makeFiles({ name: 'First' }), await makeFiles({ name: 'Second' })];
    let authority = await open();
    const certificates = [await issue(authority)];
    for (const files of [first, second, first]) {
      authority = await open(await read(files.issuing + files.root, files.issuingKey));
      const cert_pem = await issue(authority);
      expect(new X509Certificate(cert_pem).issuer).toBe(new X509Certificate(files.issuing).subject);
      certificates.push(cert_pem);
    }
    const ca = await authority.trustBundle();
    for (const cert_pem of certificates)
      expect(await openssl.verify(cert_pem, { ca })).toMatchObject({ ok: true });
    expect(await service.database.query('select from ca_keys')).toHaveLength(6);
  });

  it('is adopted once by processes that start at once', async () => {
    for (let round = 0; round < 5; round++) {
      const { root, issuing, issuingKey } = await makeFiles();
      const given = await read(issuing + root, issuingKey);
      await service.database.query('delete from ca_keys');
      const copies = await Promise.all(Array.from({ length: 8 }, () => open(given)));
      const bundles = await Promise.all(copies.map((copy) => copy.trustBundle()));
      expect(new Set(bundles)).toEqual(new Set([issuing + root]));
      expect(await activeKeys()).toEqual([{ cert_pem: issuing }, { cert_pem: root }]);
    }
  });

  it('is refused in one line that names the setting', async () => {
    const { root, issuing, rootKey, issuingKey } = await makeFiles();
    const leaf = await makeFiles({ signs: ['-addext', 'basicConstraints=critical,CA:FALSE'] });
    const idle = await makeFiles({ signs: ['-addext', 'keyUsage=critical,keyCertSign'] });
    const short = await makeFiles({ days: '1' });
    const shallow = await makeFiles({
      above: ['-addext', 'basicConstraints=critical,CA:TRUE,pathlen:0', '-addext', 'keyUsage=keyCertSign'],
    });
    const inTwoDays = new Date(Date.now() + 2 * 86_400_000);
    const encrypted = await openssl.file('');
    await openssl.text('pkey', '-in', issuingKey, '-aes256', '-passout', 'pass:hunter2', '-out', encrypted);
    const rootFile = await openssl.file(root);
    const cases: [RegExp, () => Promise<unknown>][] = [
      [/^CA_CERT_FILE has to hold the issuing certificate/, () => read(issuing, issuingKey)],
      [/^CA_CERT_FILE has to hold the issuing certificate/, () => read(root, rootKey)],
      [/^CA_CERT_FILE has to hold the issuing certificate/, () => read(root + issuing, rootKey)],
      [/^CA_CERT_FILE has to hold the issuing certificate/, () => read(issuing + leaf.root, issuingKey)],
      [/^CA_CERT_FILE has to hold the issuing certificate/, () => read('nothing', issuingKey)],
      [
        /^CA_CERT_FILE holds a certificate that cannot be read/,
        () => read(issuing.replaceAll(/^M/gm, 'A') + root, issuingKey),
      ],
      [
        /^CA_CERT_FILE holds a certificate that is no authority’s/,
        () => read(leaf.issuing + leaf.root, leaf.issuingKey),
      ],
      [
        /^CA_CERT_FILE has to begin with one that may sign/,
        () => read(idle.issuing + idle.root, idle.issuingKey),
      ],
      [
        /^CA_CERT_FILE holds a certificate that is not valid now/,
        () => read(short.issuing + short.root, short.issuingKey, inTwoDays),
      ],
      [
        /^CA_CERT_FILE holds a certificate whose path length allows for fewer/,
        () => read(shallow.issuing + shallow.root, shallow.issuingKey),
      ],
      [/^CA_KEY_FILE has to hold the key of the first/, () => read(issuing + root, rootKey)],
      [/^CA_KEY_FILE has to hold a private key/, () => read(issuing + root, rootFile)],
      [/^CA_KEY_FILE has to hold a private key/, () => read(issuing + root, encrypted)],
      [/^CA_KEY_FILE cannot be read: ENOENT/, () => read(issuing + root, '/nowhere/ca.key')],
    ];
    for (const [message, refused] of cases) {
      const error = await refused().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(ConfigError);
      expect((error as Error).message).toMatch(message);
    }
    expect(await readFile(issuingKey, 'utf8')).toContain('PRIVATE KEY');
  });
});
