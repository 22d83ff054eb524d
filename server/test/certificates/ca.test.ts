import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  findCertificate,
  insertCertificate,
  markUsed,
  type NewCertificate,
} from '../../src/certificates/certificates.db.ts';
import { issueCertificate, issueServerCertificate } from '../../src/certificates/certificates.ts';
import { replaceCertificate } from '../../src/certificates/revocations.db.ts';
import { findCurrentCertificate, revokeCertificate } from '../support/certificates.ts';
import { insertInstance, type TestInstance } from '../support/instances.ts';
import { OpenSsl } from '../support/openssl.ts';
import { rawSql } from '../support/raw-sql.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';

const BUNDLE = '/v1/public/ca.pem';
const LISTS = '/v1/public/ca.crl';
const ROTATE = '/internal/v1/ca/rotate';
const SECOND_MS = 1000;
const DAY_MS = 86_400 * SECOND_MS;
const client = ['-purpose', 'sslclient'];

let openssl: OpenSsl;
let csr: string;
let service: TestService;
let tenant: TestTenant;
let instance: TestInstance;

beforeAll(async () => {
  openssl = await OpenSsl.open();
  csr = await openssl.request(await openssl.key('P-256'));
  service = await startTestService({ runsJobs: false });
  tenant = await service.createTenant();
  instance = await insertInstance(service, tenant.tenant_id);
});
afterAll(async () => {
  await service.stop();
  await openssl.close();
});

const q = (of = tenant) => service.service.services.db.tenant(of.tenant_id);
const now = () => service.clock.now();

async function issue(of = instance, owner = tenant): Promise<NewCertificate> {
  const { services } = service.service;
  const request = await services.x509.readRequest(csr);
  return issueCertificate(services, q(owner), of.id, request);
}

async function issueAndStore(owner = tenant): Promise<NewCertificate> {
  const certificate = await issue(await insertInstance(service, owner.tenant_id), owner);
  await q(owner).run(insertCertificate(certificate));
  return certificate;
}

async function trust(): Promise<{ ca: string; crl: string }> {
  const [bundle, lists] = [await service.anonymous.get(BUNDLE), await service.anonymous.get(LISTS)];
  expect([bundle.status, lists.status]).toEqual([200, 200]);
  for (const { headers } of [bundle, lists]) {
    expect(headers.get('content-type')).toBe('application/x-pem-file');
  }
  return { ca: bundle.text, crl: lists.text };
}

const seconds = (date: Date) => Math.floor(date.getTime() / 1000);
const count = (pem: string, label = 'CERTIFICATE') => pem.split(`BEGIN ${label}-----`).length - 1;

/** Verifies at the service's time, which tests move. */
const verify = async (cert_pem: string, ...args: string[]) =>
  openssl.verify(cert_pem, await trust(), '-attime', String(seconds(now())), ...args);

async function listed(): Promise<string> {
  const lists = (await trust()).crl.split(/(?<=-----END X509 CRL-----\n)/);
  const texts = lists.map(async (crl) =>
    openssl.text('crl', '-in', await openssl.file(crl), '-noout', '-text'),
  );
  return (await Promise.all(texts)).join('');
}

const rotate = () =>
  service.operations.post<{ issuing_certificate_serial: string; not_after: string }>(ROTATE);

describe('a certificate of an instance', () => {
  it('is valid to openssl for 24 hours', async () => {
    const certificate = await issue();
    expect(certificate.spiffe_id).toBe(`spiffe://acp.test/instance/${instance.id}`);
    const { cert_pem, not_before, not_after, issued_at } = certificate;
    expect(seconds(not_before)).toBe(Math.floor((issued_at.getTime() - 300_000) / 1000));
    expect(seconds(not_after)).toBe(seconds(issued_at) + 86_400);
    const parsed = new X509Certificate(cert_pem);
    expect([parsed.subject, parsed.subjectAltName]).toEqual([
      `CN=${instance.id}`,
      `URI:${certificate.spiffe_id}`,
    ]);
    expect(await verify(cert_pem, ...client)).toMatchObject({ ok: true });
  });

  it('is valid for clients that read only the first certificate and list', async () => {
    const [{ cert_pem, serial }, rotated] = [await issueAndStore(), await rotate()];
    expect(rotated.status).toBe(201);
    const after = await issueAndStore();
    for (const revoked of [serial, after.serial]) {
      await q().run(revokeCertificate(revoked, 'superseded'));
    }
    service.clock.advance(5 * SECOND_MS);
    const { ca, crl } = await trust();
    const issuer = new X509Certificate(ca);
    expect(new X509Certificate(after.cert_pem).verify(issuer.publicKey)).toBe(true);
    expect(new X509Certificate(cert_pem).verify(issuer.publicKey)).toBe(false);
    const first = await openssl.text('crl', '-in', await openssl.file(crl), '-noout', '-text');
    expect(first).toContain(after.serial.toUpperCase());
    expect(first).not.toContain(serial.toUpperCase());
  });

  it('is immutable, and one per instance is not revoked', async () => {
    const certificate = await issue();
    await q().run(insertCertificate(certificate));
    const row = {
      ...certificate,
      revoked_at: null,
      revocation_reason: null,
      replaced_by: null,
      first_used_at: null,
    };
    expect(await q().run(findCurrentCertificate(instance.id))).toEqual(row);
    expect(await service.service.services.db.system.run(findCertificate(certificate.serial))).toEqual(row);
    await expect(q().run(insertCertificate(await issue()))).rejects.toMatchObject({
      constraint: 'certificates_current',
    });
    const stranger = await service.createTenant();
    const theirs = service.service.services.db.tenant(stranger.tenant_id);
    expect(await theirs.run(findCertificate(certificate.serial))).toBeUndefined();
    expect(await theirs.run(revokeCertificate(certificate.serial, 'unspecified'))).toBe(false);
  });

  it('records only its first use', async () => {
    const { serial } = await issueAndStore();
    const use = async () =>
      (await q().run({ used: markUsed(serial), found: findCertificate(serial) })).found?.first_used_at;
    const first = await use();
    service.clock.advance(5);
    expect([first, await use()]).toEqual([expect.any(Date), first]);
  });

  it('is superseded once, by an existing one', async () => {
    const of = await insertInstance(service, tenant.tenant_id);
    const [old, fresh, late] = [await issue(of), await issue(of), await issue(of)];
    await q().run(insertCertificate(old));
    const outcomes = await Promise.all(
      [fresh, late].map((to) => q().run(replaceCertificate(old.serial, to))),
    );
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    const current = await q().run(findCurrentCertificate(of.id));
    expect(await q().run(findCertificate(old.serial))).toMatchObject({
      revocation_reason: 'superseded',
      replaced_by: current?.serial,
    });
    expect(await q().run(revokeCertificate(old.serial, 'unspecified'))).toBe(false);
  });

  it('has the same issuer as the listener’s own', async () => {
    const names = { hostnames: ['localhost'], ips: ['127.0.0.1'] };
    const { cert_pem, not_after } = await issueServerCertificate(service.service.services, names, now());
    expect(not_after.getTime() - now().getTime()).toBeGreaterThan(6.9 * DAY_MS);
    const args = ['-purpose', 'sslserver', '-verify_hostname', 'localhost', '-verify_ip', '127.0.0.1'];
    expect(await verify(cert_pem, ...args)).toMatchObject({ ok: true });
  });
});

describe('the revocation lists', () => {
  it('include a revocation within five seconds', async () => {
    const [old, other] = [await issueAndStore(), await issueAndStore()];
    expect(await verify(old.cert_pem, ...client)).toMatchObject({ ok: true });
    await q().run(revokeCertificate(old.serial, 'key_compromise'));
    service.clock.advance(5 * SECOND_MS);
    const verdict = await verify(old.cert_pem, ...client);
    expect(verdict).toMatchObject({ ok: false, output: expect.stringContaining('certificate revoked') });
    expect(await verify(other.cert_pem, ...client)).toMatchObject({ ok: true });
  });

  it('drop a certificate an hour after its end', async () => {
    const { serial } = await issueAndStore();
    await q().run(revokeCertificate(serial, 'superseded'));
    service.clock.advance(DAY_MS + 59 * 60 * SECOND_MS);
    expect(await listed()).toContain(serial.toUpperCase());
    service.clock.advance(2 * 60 * SECOND_MS);
    expect(await listed()).not.toContain(serial.toUpperCase());
  });

  it('change with their entries or after an hour', async () => {
    // No other test's certificate expires meanwhile.
    service.clock.advance(2 * DAY_MS);
    const first = await service.anonymous.get(LISTS);
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('public, max-age=5');
    service.clock.advance(59 * 60 * SECOND_MS);
    const again = await service.anonymous.get(LISTS, { 'if-none-match': `W/${etag}` });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    service.clock.advance(2 * 60 * SECOND_MS);
    expect((await service.anonymous.get(LISTS)).text).not.toBe(first.text);
  });

  it('are the same for concurrent requests', async () => {
    service.clock.advance(2 * 60 * 60 * SECOND_MS);
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.anonymous.get(LISTS)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  it('hold the certificates of every tenant', async () => {
    const stranger = await service.createTenant();
    const theirs = await issueAndStore(stranger);
    const mine = await issueAndStore();
    await q().run(revokeCertificate(mine.serial, 'superseded'));
    await q(stranger).run(revokeCertificate(theirs.serial, 'superseded'));
    service.clock.advance(5 * SECOND_MS);
    for (const { cert_pem } of [mine, theirs]) {
      expect((await verify(cert_pem, ...client)).output).toContain('certificate revoked');
    }
  });
});

describe('replacing the issuing key', () => {
  it('keeps both trusted until the old certificates have expired', async () => {
    // Keys that other tests replaced are no longer trusted.
    service.clock.advance(10 * DAY_MS);
    const before = await issue();
    const { ca: oldBundle } = await trust();
    const { status, body } = await rotate();
    expect(status).toBe(201);
    service.clock.advance(5 * SECOND_MS);
    const after = await issue();
    expect(after.issuer_id).not.toBe(before.issuer_id);
    const { ca } = await trust();
    expect([count(oldBundle), count(ca)]).toEqual([2, 3]);
    const { issuing_certificate_serial } = body;
    expect(new X509Certificate(ca).serialNumber.toLowerCase()).toBe(issuing_certificate_serial);
    expect(ca.endsWith(oldBundle)).toBe(true);
    for (const { cert_pem } of [before, after]) {
      expect(await verify(cert_pem, ...client)).toMatchObject({ ok: true });
    }
    // The listener's own certificate lasts longest.
    service.clock.advance(7 * DAY_MS);
    expect(count((await trust()).ca)).toBe(3);
    service.clock.advance(2 * DAY_MS);
    expect(count((await trust()).ca)).toBe(2);
    // Clients that trust only the root learn it from the root's list.
    const [issuing = ''] = oldBundle.split(/(?<=-----END CERTIFICATE-----\n)/);
    expect((await verify(issuing)).output).toContain('certificate revoked');
  });

  it('still revokes what the old key issued', async () => {
    const { serial, cert_pem } = await issueAndStore();
    await rotate();
    await q().run(revokeCertificate(serial, 'superseded'));
    service.clock.advance(5 * SECOND_MS);
    expect((await verify(cert_pem, ...client)).output).toContain('certificate revoked');
  });

  it('leaves one active key after concurrent calls', async () => {
    const { authority } = service.service.services;
    const results = await Promise.all(Array.from({ length: 5 }, () => authority.replaceIssuingKey()));
    const rows = await service.database.query(`select id, retired_at from ca_keys where kind = 'issuing'`);
    expect(rows.filter(({ retired_at }) => retired_at === null)).toHaveLength(1);
    expect(new Set(results.map(({ id }) => id)).size).toBeLessThan(results.length);
    expect(results.every(({ id }) => rows.some((row) => row.id === id))).toBe(true);
  });
});

describe('the keys', () => {
  it('have an unreadable private part', async () => {
    await rotate();
    const rows = await service.database.query<{ text: string; key: Buffer }>(
      `select ca_keys::text as text, sealed_private_key as key from ca_keys`,
    );
    expect(rows.length).toBeGreaterThan(2);
    for (const { text, key } of rows) {
      expect(text).not.toMatch(/PRIVATE|4d494748416745414d/i);
      expect(key.toString('latin1')).not.toContain('PRIVATE');
      expect(text).toContain('BEGIN CERTIFICATE');
    }
  });

  it('are invisible to tenants', async () => {
    const { db } = service.service.services;
    const read = db.tenant(tenant.tenant_id).run(rawSql('select id from ca_keys'));
    await expect(read).rejects.toThrow('permission denied');
  });
});

/** Each test continues at the previous one's time. */
describe('over the years, the issuing key', () => {
  it('is replaced automatically before its end', async () => {
    await rotate();
    const before = await issue();
    service.clock.advance(669 * DAY_MS);
    expect((await issue()).issuer_id).toBe(before.issuer_id);
    service.clock.advance(2 * DAY_MS);
    const after = await issue();
    expect(after.issuer_id).not.toBe(before.issuer_id);
    expect((await issue()).issuer_id).toBe(after.issuer_id);
    expect(await verify(after.cert_pem, ...client)).toMatchObject({ ok: true });
  });

  it('is not replaced when the root ends as early', async () => {
    const [root] = await service.database.query<{ not_after: Date }>(
      `select not_after from ca_keys where kind = 'root'`,
    );
    const lastMonths = (root?.not_after.getTime() ?? 0) - 53 * DAY_MS;
    service.clock.advance(lastMonths - now().getTime());
    const last = await issue();
    expect((await issue()).issuer_id).toBe(last.issuer_id);
  });

  it('issues nothing once the authority has expired', async () => {
    service.clock.advance(60 * DAY_MS);
    await expect(issue()).rejects.toMatchObject({
      code: 'internal',
      message: 'The certificate authority failed',
    });
    expect((await service.anonymous.get(BUNDLE)).text).toBe('');
  });
});
