import { randomUUID, X509Certificate } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isInUse } from '../../src/certificates/client-certificates.ts';
import { addProxyKey } from '../../src/runtimes/proxy-keys.ts';
import { openTransaction } from '../support/connection.ts';
import { lockWaits } from '../support/database.ts';
import {
  type Csr,
  type EnrolledInstance,
  enroll,
  enrolledInstance,
  expectTerms,
  type IssuedBody,
  newCsr,
  newToken,
  newWgKey,
  postAs,
  publicTrust,
  verdictOf,
} from '../support/identities.ts';
import { insertInstance, setInstanceStatus } from '../support/instances.ts';
import { type Identity, tlsRequest } from '../support/mtls.ts';
import { type KeyName, OpenSsl } from '../support/openssl.ts';
import { PATIENT_WAITS, startTestService, type TestService, type TestTenant } from '../support/service.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let openssl: OpenSsl;
let service: TestService;
let tenant: TestTenant;
let first: Csr;
let second: Csr;
let third: Csr;

beforeAll(async () => {
  openssl = await OpenSsl.open();
  service = await startTestService({ databaseWaits: PATIENT_WAITS, runsJobs: false });
  tenant = await service.createTenant();
  [first, second, third] = [await newCsr(openssl), await newCsr(openssl), await newCsr(openssl)];
});
afterAll(async () => {
  await service.stop();
  await openssl.close();
});

const enrolled = () => enrolledInstance(service, tenant, first);
const pathOf = (id: string) => `/internal/v1/instances/${id}/cert/renew`;

interface Asking {
  csr?: string;
  wg?: string;
  /** By default that of the enrollment. */
  identity?: Identity | undefined;
  headers?: Record<string, string>;
}

const renew = (instance: EnrolledInstance, asking: Asking = {}) => {
  const { csr = second.csr_pem, wg = instance.wg_public_key, headers } = asking;
  const identity = 'identity' in asking ? asking.identity : instance;
  const body = { csr_pem: csr, wg_public_key: wg };
  return postAs<IssuedBody>(service, pathOf(instance.id), body, identity, headers);
};

const renewed = ({ body }: { body: IssuedBody }, { key } = second): Identity => ({
  key,
  cert: body.cert_pem,
});

const verify = (cert: string) => verdictOf(openssl, service, cert);

const certificates = (instance_id: string) =>
  service.database.query<{ serial: string; revocation_reason: string | null; replaced_by: string | null }>(
    'select serial, revocation_reason, replaced_by from certificates where instance_id = $1 order by issued_at',
    [instance_id],
  );

describe('a renewal', () => {
  it('replaces the presented certificate', async () => {
    const instance = await enrolled();
    const before = service.clock.now();
    const answer = await renew(instance);
    expect(answer.status, answer.text).toBe(200);
    await expectTerms(service, instance.id, answer.body, before);
    const { cert_pem, cert_serial } = answer.body;
    expect(await certificates(instance.id)).toEqual([
      { serial: instance.issued.cert_serial, revocation_reason: 'superseded', replaced_by: cert_serial },
      { serial: cert_serial, revocation_reason: null, replaced_by: null },
    ]);
    // Lists are at most five seconds old.
    service.clock.advance(5000);
    expect(await verify(cert_pem)).toMatchObject({ ok: true });
    expect((await verify(instance.cert)).output).toContain('certificate revoked');
  });

  it.each<KeyName>(['P-256', 'P-384', 'Ed25519', 'RSA-2048'])('takes a key of the kind %s', async (kind) => {
    const instance = await enrolled();
    const csr = await newCsr(openssl, kind);
    const answer = await renew(instance, { csr: csr.csr_pem });
    expect(answer.status, answer.text).toBe(200);
    expect(await verify(answer.body.cert_pem)).toMatchObject({ ok: true });
    service.clock.advance(HOUR_MS);
    expect((await renew(instance, { identity: renewed(answer, csr) })).status).toBe(200);
  });

  it('names the instance, not the names of the request', async () => {
    const [instance, stranger] = [await enrolled(), await enrolled()];
    const wished = `subjectAltName=URI:spiffe://acp.test/instance/${stranger.id}`;
    const { csr_pem } = await newCsr(openssl, 'P-256', '-addext', wished);
    const { body } = await renew(instance, { csr: csr_pem });
    expect(new X509Certificate(body.cert_pem).subjectAltName).toBe(
      `URI:spiffe://acp.test/instance/${instance.id}`,
    );
  });

  it('accepts the instance’s proxy key', async () => {
    const instance = await enrolled();
    const { services } = service.service;
    const q = services.db.tenant(tenant.tenant_id);
    const key = await addProxyKey(services, q, instance.id);
    const headers = { authorization: `Bearer ${key}` };
    expect((await renew(instance, { headers })).status).toBe(200);
    const stranger = await enrolled();
    expect((await renew(stranger, { headers })).status).toBe(401);
  });
});

describe('is refused', () => {
  it('with 401 for the bearer before any other fault', async () => {
    const answer = await postAs(service, pathOf('no-uuid'), { csr_pem: 1 }, undefined, {});
    expect(answer.status).toBe(401);
  });

  it.each([
    ['csr_pem', 'a'.repeat(90), 'string_too_short'],
    ['csr_pem', 'a'.repeat(99), 'string_too_short'],
    ['csr_pem', 'a'.repeat(10_001), 'string_too_long'],
    ['csr_pem', 'a'.repeat(20_000), 'string_too_long'],
    ['wg_public_key', null, 'string_type'],
  ])('with 422 for its shape before the instance is found: %s', async (name, value, type) => {
    const body = { csr_pem: second.csr_pem, wg_public_key: newWgKey(), [name]: value };
    const answer = await postAs(service, pathOf(randomUUID()), body, undefined);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ detail: [{ loc: ['body', name], type }] });
  });

  it('with 404 for an unknown instance', async () => {
    const instance = await enrolled();
    expect((await renew({ ...instance, id: randomUUID() })).status).toBe(404);
  });

  it('with 401 for the certificate before the instance’s status', async () => {
    const [instance, stranger] = [await enrolled(), await enrolled()];
    await setInstanceStatus(service, instance.id, 'stopped');
    for (const identity of [undefined, stranger, await ofAnotherAuthority(instance)]) {
      expect((await renew(instance, { identity })).status).toBe(401);
    }
    expect((await renew(instance, { wg: stranger.wg_public_key })).status).toBe(401);
    expect((await renew(instance)).status).toBe(409);
  });

  it('with 401 once the certificate has expired', async () => {
    const instance = await enrolled();
    service.clock.advance(24 * HOUR_MS);
    const answer = await renew(instance);
    expect([answer.status, answer.body]).toEqual([401, { detail: 'The client certificate has expired' }]);
  });

  it('with 401 once the certificate is revoked', async () => {
    const instance = await enrolled();
    await service.database.query(
      `update certificates set revoked_at = now(), revocation_reason = 'key_compromise' where instance_id = $1`,
      [instance.id],
    );
    const answer = await renew(instance);
    expect([answer.status, answer.body]).toEqual([
      401,
      { detail: 'The client certificate has been revoked' },
    ]);
  });

  it.each(['pending', 'provisioning', 'stopped', 'failed', 'terminating', 'terminated'])(
    'with 409 while the instance is %s, before faults of the CSR',
    async (status) => {
      const instance = await enrolled();
      const after = renewed(await renew(instance));
      await setInstanceStatus(service, instance.id, status);
      expect((await renew(instance, { identity: after, csr: 'a'.repeat(100) })).status).toBe(409);
    },
  );

  it('with 400 for an invalid CSR without revoking the certificate', async () => {
    const instance = await enrolled();
    const weak = await newCsr(openssl, 'RSA-1024');
    const lines = second.csr_pem.trim().split('\n');
    const broken = [...lines.slice(0, 3), 'AAAA', ...lines.slice(4)].join('\n');
    for (const csr of ['a'.repeat(100), weak.csr_pem, broken]) {
      expect((await renew(instance, { csr })).status).toBe(400);
    }
    expect((await renew(instance)).status).toBe(200);
  });

  it('with 500 when the authority fails without revoking the certificate', async () => {
    const instance = await enrolled();
    const { authority } = service.service.services;
    authority.current = () => Promise.reject(new Error('the inside'));
    const answer = await renew(instance);
    Reflect.deleteProperty(authority, 'current');
    expect([answer.status, answer.body]).toEqual([500, { detail: 'The certificate authority failed' }]);
    expect((await renew(instance)).status).toBe(200);
  });
});

const isUsable = ({ id }: EnrolledInstance, { cert }: Identity) => {
  const { raw, serialNumber } = new X509Certificate(cert);
  return isInUse(service.service.services, id, { raw, serialNumber });
};

describe('a runtime may be called with', () => {
  it('its own certificate until that expires, and no other', async () => {
    const [instance, stranger] = [await enrolled(), await enrolled()];
    expect(await isUsable(instance, instance)).toBe(true);
    expect(await isUsable(instance, stranger)).toBe(false);
    expect(await isUsable(instance, await ofAnotherAuthority(instance))).toBe(false);
    service.clock.advance(24 * HOUR_MS);
    expect(await isUsable(instance, instance)).toBe(false);
  });

  it('the renewed certificate until the next is used, because the answer may be lost', async () => {
    const instance = await enrolled();
    const after = renewed(await renew(instance));
    expect([await isUsable(instance, instance), await isUsable(instance, after)]).toEqual([true, true]);
    expect((await renew(instance, { identity: after })).status).toBe(429);
    expect([await isUsable(instance, instance), await isUsable(instance, after)]).toEqual([false, true]);
  });

  it('no certificate from before an enrollment', async () => {
    const instance = await enrolled();
    const { wg_public_key, vpn_ip } = instance;
    const enrollment_token = await newToken(service, tenant, instance.id);
    const body = { enrollment_token, csr_pem: third.csr_pem, wg_public_key, vpn_ip };
    expect((await enroll(service, instance.id, body)).status).toBe(200);
    expect(await isUsable(instance, instance)).toBe(false);
  });
});

/** Same names and serial. */
async function ofAnotherAuthority({ id, issued }: EnrolledInstance): Promise<Identity> {
  const key = await openssl.file(first.key);
  const names = `subjectAltName=URI:spiffe://acp.test/instance/${id}`;
  const serial = `0x${issued.cert_serial}`;
  const args = ['req', '-x509', '-key', key, '-subj', `/CN=${id}`, '-days', '1', '-set_serial', serial];
  const cert = await openssl.text(...args, '-addext', names);
  return { key: first.key, cert };
}

describe('once an hour', () => {
  it('a certificate is renewed, counted from the last renewal', async () => {
    const instance = await enrolled();
    const after = renewed(await renew(instance));
    const refused = await renew(instance, { identity: after, csr: 'a'.repeat(100) });
    expect(refused.status).toBe(429);
    expect(refused.retry_after).toBeGreaterThan(3540);
    expect(refused.retry_after).toBeLessThanOrEqual(3600);
    // Specification, section 7.10.
    expect(refused.headers).toMatchObject({
      'x-ratelimit-limit': '1',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(refused.retry_after),
    });
    service.clock.advance(HOUR_MS - MINUTE_MS);
    const still = await renew(instance, { identity: after });
    expect(still.status).toBe(429);
    expect(still.retry_after).toBeLessThanOrEqual(60);
    service.clock.advance(MINUTE_MS);
    expect((await renew(instance, { identity: after })).status).toBe(200);
  });

  it('an enrollment neither counts nor resets the hour', async () => {
    const instance = await enrolled();
    expect((await renew(instance)).status).toBe(200);
    const { wg_public_key, vpn_ip } = instance;
    const enrollment_token = await newToken(service, tenant, instance.id);
    const body = { enrollment_token, csr_pem: first.csr_pem, wg_public_key, vpn_ip };
    const again = await enroll(service, instance.id, body);
    expect(again.status, again.text).toBe(200);
    const identity = { key: first.key, cert: again.body.cert_pem };
    expect((await renew(instance, { identity })).status).toBe(429);
  });

  it('a renewal works when the clock was set back', async () => {
    const instance = await enrolled();
    const after = renewed(await renew(instance));
    service.clock.advance(-HOUR_MS);
    const back = await renew(instance, { identity: after, csr: third.csr_pem });
    expect(back.status, back.text).toBe(200);
    const current = renewed(back, third);
    const refused = await renew(instance, { identity: current });
    expect(refused.status).toBe(429);
    expect(refused.retry_after).toBeLessThanOrEqual(3600);
    service.clock.advance(2 * HOUR_MS + MINUTE_MS);
    expect((await renew(instance, { identity: current })).status).toBe(200);
  });
});

describe('concurrent renewals', () => {
  it('for one key get one certificate', async () => {
    const instance = await enrolled();
    const answers = await Promise.all([1, 2, 3, 4].map(() => renew(instance)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.cert_serial)).size).toBe(1);
    expect(await certificates(instance.id)).toHaveLength(2);
  });

  it('for two keys get one certificate and a 429', async () => {
    const instance = await enrolled();
    // Both reach the authority before either certificate is stored.
    const { authority } = service.service.services;
    const current = authority.current.bind(authority);
    let arrived = 0;
    const gate = new EventEmitter();
    const both = once(gate, 'open');
    authority.current = async () => {
      if (++arrived === 2) gate.emit('open');
      await both;
      return current();
    };
    const answers = await Promise.all([renew(instance), renew(instance, { csr: third.csr_pem })]);
    Reflect.deleteProperty(authority, 'current');
    const [won, lost] = answers.toSorted((a, b) => a.status - b.status);
    expect([won?.status, lost?.status]).toEqual([200, 429]);
    expect(lost?.retry_after).toBeGreaterThan(3540);
    expect(await certificates(instance.id)).toHaveLength(2);
  });
});

describe('meanwhile', () => {
  it('an instance that ends gets no certificate', async () => {
    const instance = await enrolled();
    const { end } = await openTransaction(service.database.url, [
      `update instances set status = 'terminating' where id = $1`,
      [instance.id],
    ]);
    const renewal = renew(instance);
    await lockWaits(service.database, 1);
    await end('commit');
    expect((await renewal).status).toBe(409);
    expect(await certificates(instance.id)).toHaveLength(1);
  });

  it('an instance that enrolls again has one certificate', async () => {
    for (let round = 0; round < 5; round++) {
      const instance = await enrolled();
      const { wg_public_key, vpn_ip } = instance;
      const enrollment_token = await newToken(service, tenant, instance.id);
      const body = { enrollment_token, csr_pem: third.csr_pem, wg_public_key, vpn_ip };
      const [renewal, enrollment] = await Promise.all([renew(instance), enroll(service, instance.id, body)]);
      expect(enrollment.status, enrollment.text).toBe(200);
      expect([200, 401]).toContain(renewal.status);
      const left = (await certificates(instance.id)).filter(({ revocation_reason }) => !revocation_reason);
      expect(left).toHaveLength(1);
      if (renewal.status === 401) expect(left[0]?.serial).toBe(enrollment.body.cert_serial);
    }
  });
});

describe('a lost response', () => {
  it('is repeated for the same key until the new certificate is used', async () => {
    const instance = await enrolled();
    const answer = await renew(instance);
    const again = await renew(instance);
    expect([again.status, again.text]).toEqual([200, answer.text]);
    // Neither 409 nor 429 (contract, section 10).
    await setInstanceStatus(service, instance.id, 'stopped');
    expect((await renew(instance)).text).toBe(answer.text);
    await setInstanceStatus(service, instance.id, 'running');
    for (const otherwise of [{ csr: third.csr_pem }, { wg: newWgKey() }, { csr: 'a'.repeat(100) }]) {
      expect((await renew(instance, otherwise)).status).toBe(401);
    }
    expect((await renew(instance, { identity: renewed(answer) })).status).toBe(429);
    expect((await renew(instance)).status).toBe(401);
  });

  it('ends with a renewal by the new certificate', async () => {
    const instance = await enrolled();
    const answer = await renew(instance);
    await service.database.query(
      `update certificates set revoked_at = revoked_at - interval '61 min' where instance_id = $1 and revoked_at is not null`,
      [instance.id],
    );
    expect((await renew(instance, { identity: renewed(answer) })).status).toBe(200);
    const [used] = await service.database.query<{ first_used_at: Date | null }>(
      'select first_used_at from certificates where serial = $1',
      [answer.body.cert_serial],
    );
    expect(used?.first_used_at).toEqual(expect.any(Date));
  });

  it('is not repeated after another enrollment', async () => {
    const instance = await enrolled();
    const { id, wg_public_key, vpn_ip } = instance;
    await renew(instance);
    const enrollment_token = await newToken(service, tenant, id);
    const again = { enrollment_token, csr_pem: third.csr_pem, wg_public_key, vpn_ip };
    expect((await enroll(service, id, again)).status).toBe(200);
    expect((await renew(instance)).status).toBe(401);
  });

  it('is not repeated after 15 minutes', async () => {
    const [early, late] = [await enrolled(), await enrolled()];
    const answer = await renew(early);
    await renew(late);
    service.clock.advance(15 * MINUTE_MS - 10_000);
    expect((await renew(early)).text).toBe(answer.text);
    service.clock.advance(10_000);
    expect((await renew(late)).status).toBe(401);
  });

  it('is repeated after the old certificate has expired', async () => {
    const instance = await enrolled();
    service.clock.advance(24 * HOUR_MS - 5 * MINUTE_MS);
    const answer = await renew(instance);
    service.clock.advance(10 * MINUTE_MS);
    expect((await renew(instance)).text).toBe(answer.text);
  });

  it('is repeated when the clock was set back', async () => {
    const instance = await enrolled();
    const answer = await renew(instance);
    service.clock.advance(-HOUR_MS);
    expect((await renew(instance)).text).toBe(answer.text);
  });

  it('is repeated after a failure before it was sent', async () => {
    const instance = await enrolled();
    const { authority } = service.service.services;
    const trustBundle = authority.trustBundle.bind(authority);
    let asked = 0;
    authority.trustBundle = () => (++asked === 2 ? Promise.reject(new Error('killed')) : trustBundle());
    // The same renewal already finds what it committed.
    const answer = await renew(instance);
    expect(asked).toBe(3);
    Reflect.deleteProperty(authority, 'trustBundle');
    expect(answer.status).toBe(200);
    const again = await renew(instance);
    expect([again.status, again.text]).toEqual([200, answer.text]);
    expect(await certificates(instance.id)).toHaveLength(2);
  });

  it('is repeated to a client that had disconnected', async () => {
    const instance = await enrolled();
    const aborted = new AbortController();
    const ca = (await publicTrust(service)).ca;
    const { authority } = service.service.services;
    const trustBundle = authority.trustBundle.bind(authority);
    authority.trustBundle = () => {
      aborted.abort();
      return trustBundle();
    };
    const body = { csr_pem: second.csr_pem, wg_public_key: instance.wg_public_key };
    const lost = tlsRequest(`${service.mtls_url}${pathOf(instance.id)}`, {
      method: 'POST',
      ca,
      cert: instance.cert,
      key: instance.key,
      headers: service.operations.headers,
      body,
      signal: aborted.signal,
    });
    await expect(lost).rejects.toThrow();
    Reflect.deleteProperty(authority, 'trustBundle');
    const answer = await renew(instance);
    expect(answer.status, answer.text).toBe(200);
    expect(await certificates(instance.id)).toHaveLength(2);
  });
});

it('a failure after issuing leaves the old certificate valid', async () => {
  const instance = await enrolled();
  await service.database.query('alter table certificates add constraint full_up check (false) not valid');
  const failed = await renew(instance);
  await service.database.query('alter table certificates drop constraint full_up');
  expect([failed.status, failed.body]).toEqual([500, { detail: 'Internal server error' }]);
  expect(await certificates(instance.id)).toHaveLength(1);
  expect((await renew(instance)).status).toBe(200);
});

it('an instance that has not enrolled gets 401', async () => {
  const { id } = await insertInstance(service, tenant.tenant_id);
  const wg_public_key = newWgKey();
  const body = { csr_pem: second.csr_pem, wg_public_key };
  expect((await postAs(service, pathOf(id), body, undefined)).status).toBe(401);
});
