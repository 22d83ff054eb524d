import { randomBytes, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readAuthorityFiles } from '../../src/adapters/x509/authority-files.ts';
import { adoptCaKeys } from '../../src/certificates/ca-keys.ts';
import { issueCertificate } from '../../src/certificates/certificates.ts';
import type { GivenAuthority } from '../../src/certificates/x509.port.ts';
import { ConfigError } from '../../src/platform/setting-values.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { insertInstance } from '../support/instances.ts';
import { OpenSsl } from '../support/openssl.ts';
import { startTestService, type TestService } from '../support/service.ts';

const BUNDLE = '/v1/public/ca.pem';
const AUTHORITY = ['-addext', 'keyUsage=critical,keyCertSign,cRLSign'];

let openssl: OpenSsl;
let csr: string;
let database: TestDatabase;
let running: TestService[];
const master_key = randomBytes(32);

beforeAll(async () => {
  openssl = await OpenSsl.open();
  csr = await openssl.request(await openssl.key('P-256'));
});
afterAll(() => openssl.close());
beforeEach(async () => {
  database = await createTestDatabase();
  running = [];
});
afterEach(async () => {
  for (const one of running) await one.service.stop();
  await database.drop();
});

async function start(givenAuthority?: GivenAuthority): Promise<TestService> {
  const one = await startTestService({ database, master_key, runsJobs: false, givenAuthority });
  running.push(one);
  return one;
}

const bundleOf = async (one: TestService) => (await one.anonymous.get(BUNDLE)).text;

async function issue(one: TestService): Promise<string> {
  const { services } = one.service;
  const { tenant_id } = await one.createTenant();
  const { id: instance_id } = await insertInstance(one, tenant_id);
  const request = await services.x509.readRequest(csr);
  return (await issueCertificate(services, services.db.tenant(tenant_id), instance_id, request)).cert_pem;
}

async function trustOf(one: TestService) {
  return { ca: await bundleOf(one), crl: (await one.anonymous.get('/v1/public/ca.crl')).text };
}

describe('copies of the service on one database', () => {
  it('that start at once on an empty one share one authority', async () => {
    const copies = await Promise.all([start(), start(), start()]);
    const bundles = await Promise.all(copies.map(bundleOf));
    expect(new Set(bundles).size).toBe(1);
    expect(await database.query('select from ca_keys')).toHaveLength(2);
    for (const copy of copies) {
      const cert_pem = await issue(copy);
      expect(await openssl.verify(cert_pem, await trustOf(copies[0]))).toMatchObject({
        ok: true,
      });
    }
  });

  it('start again with the same one', async () => {
    const before = await bundleOf(await start());
    expect(await bundleOf(await start())).toBe(before);
  });

  it('notice a replaced key by its notification', async () => {
    const [one, other] = [await start(), await start()];
    const before = await bundleOf(other);
    const noticed = new Promise((resolve) => {
      other.service.services.notifications.subscribe('ca_keys', resolve);
    });
    const { body } = await one.operations.post<{ issuing_certificate_serial: string }>(
      '/internal/v1/ca/rotate',
    );
    await noticed;
    expect(await bundleOf(other)).not.toBe(before);
    const { row } = await other.service.services.authority.current();
    expect(row.serial).toBe(body.issuing_certificate_serial);
  });
});

/** An authority's files as an operator makes them with openssl. */
async function makeFiles({ name = 'Given', signs = AUTHORITY, days = '100', above = AUTHORITY } = {}) {
  const [rootKey, issuingKey] = [await openssl.key('RSA-2048'), await openssl.key('P-384')];
  const root = await openssl.text(
    'req',
    '-x509',
    '-new',
    '-key',
    rootKey,
    '-subj',
    `/CN=${name} root`,
    ...above,
  );
  const issuing = await openssl.text(
    'req',
    '-x509',
    '-new',
    '-key',
    issuingKey,
    '-subj',
    `/CN=${name} issuing`,
    '-days',
    days,
    ...signs,
    '-CA',
    await openssl.file(root),
    '-CAkey',
    rootKey,
  );
  return { root, issuing, rootKey, issuingKey };
}

const read = async (cert: string, key_file: string, now = new Date()) =>
  readAuthorityFiles({ cert_file: await openssl.file(cert), key_file }, now);

describe('an authority that is given by file', () => {
  it('issues and revokes, for every copy, and keeps no root key', async () => {
    const { root, issuing, issuingKey } = await makeFiles();
    const one = await start(await read(`some text\n${issuing}${root}`, issuingKey));
    const other = await start();
    expect(await bundleOf(one)).toBe(issuing + root);
    expect(await bundleOf(other)).toBe(issuing + root);
    for (const copy of [one, other]) {
      const trust = { ca: await bundleOf(copy) };
      expect(await openssl.verify(await issue(copy), trust, '-purpose', 'sslclient')).toMatchObject({
        ok: true,
      });
    }
    const crl = await openssl.file((await trustOf(one)).crl);
    const text = await openssl.text(
      'crl',
      '-in',
      crl,
      '-noout',
      '-text',
      '-CAfile',
      await openssl.file(issuing + root),
    );
    expect(text).toContain('verify OK');
    expect((await one.operations.post('/internal/v1/ca/rotate')).status).toBe(409);
    expect(
      await database.query(`select from ca_keys where kind = 'root' and sealed_private_key is null`),
    ).toHaveLength(1);
  });

  it('takes the place of the one before, with an overlap, and may be changed back', async () => {
    const [first, second] = [await makeFiles({ name: 'First' }), await makeFiles({ name: 'Second' })];
    const own = await start();
    const certificates = [await issue(own)];
    for (const files of [first, second, first]) {
      const one = await start(await read(files.issuing + files.root, files.issuingKey));
      const cert_pem = await issue(one);
      expect(new X509Certificate(cert_pem).issuer).toBe(new X509Certificate(files.issuing).subject);
      certificates.push(cert_pem);
    }
    const ca = await bundleOf(running.at(-1) as TestService);
    for (const cert_pem of certificates)
      expect(await openssl.verify(cert_pem, { ca })).toMatchObject({ ok: true });
    expect(await database.query('select from ca_keys')).toHaveLength(6);
  });

  it('is told by copies that start at once with the same one', async () => {
    const { root, issuing, issuingKey } = await makeFiles();
    const given = await read(issuing + root, issuingKey);
    const copies = await Promise.all([start(given), start(given), start(given)]);
    expect(new Set(await Promise.all(copies.map(bundleOf)))).toEqual(new Set([issuing + root]));
  });

  it('is put to work once by any number of copies', async () => {
    const { services } = (await start()).service;
    for (let round = 0; round < 5; round++) {
      const { root, issuing, issuingKey } = await makeFiles();
      const given = await read(issuing + root, issuingKey);
      await database.query('delete from ca_keys');
      await Promise.all(Array.from({ length: 8 }, () => adoptCaKeys(services, given)));
      expect(
        await database.query<{ cert_pem: string }>(
          'select cert_pem from ca_keys where retired_at is null order by kind desc',
        ),
      ).toEqual([{ cert_pem: root }, { cert_pem: issuing }]);
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
