import { randomUUID, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTransaction, withConnection } from '../support/connection.ts';
import { lockWaits } from '../support/database.ts';
import {
  type Csr,
  enroll,
  enrolledInstance,
  expectTerms,
  type IssuedBody,
  newCsr,
  newToken,
  newWgKey,
  postAs,
  verdictOf,
} from '../support/identities.ts';
import { insertInstance, setInstanceStatus, type TestInstance } from '../support/instances.ts';
import { interruptTransactions } from '../support/interrupt.ts';
import { OpenSsl } from '../support/openssl.ts';
import { PATIENT_WAITS, startTestService, type TestService, type TestTenant } from '../support/service.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NO_REQUEST = 'a'.repeat(200);

let openssl: OpenSsl;
let service: TestService;
let tenant: TestTenant;
let csr: Csr;
let other: Csr;

beforeAll(async () => {
  openssl = await OpenSsl.open();
  service = await startTestService({ databaseWaits: PATIENT_WAITS, runsJobs: false });
  tenant = await service.createTenant();
  [csr, other] = [await newCsr(openssl), await newCsr(openssl)];
});
afterAll(async () => {
  await service.stop();
  await openssl.close();
});

const instanceOf = (status = 'provisioning') => insertInstance(service, tenant.tenant_id, { status });

async function bodyOf(instance: TestInstance) {
  return {
    enrollment_token: await newToken(service, tenant, instance.id),
    csr_pem: csr.csr_pem,
    wg_public_key: newWgKey(),
    vpn_ip: instance.vpn_ip,
  };
}

const withOperations = (id: string, body: unknown) =>
  service.operations.post<IssuedBody>(`/internal/v1/instances/${id}/enroll`, body);

const verify = (cert: string) => verdictOf(openssl, service, cert);

const unspent = async (id: string) =>
  (
    await service.database.query('select from enrollment_tokens where instance_id = $1 and used_at is null', [
      id,
    ])
  ).length;

describe('a token', () => {
  it('is minted by an admin', async () => {
    const instance = await instanceOf('running');
    const made = await tenant.api.post<{ enrollment_token: string; vpn_ip: string; expires_at: string }>(
      `/v1/instances/${instance.id}/enrollment-token`,
    );
    expect(made.status).toBe(201);
    const { enrollment_token, vpn_ip, expires_at } = made.body;
    expect(vpn_ip).toBe(instance.vpn_ip);
    const minutes = (Date.parse(expires_at) - service.clock.now().getTime()) / MINUTE_MS;
    expect(minutes).toBeGreaterThan(14);
    expect(minutes).toBeLessThanOrEqual(15);
    const answer = await enroll(service, instance.id, { ...(await bodyOf(instance)), enrollment_token });
    expect(answer.status, answer.text).toBe(200);
    const stored = await service.database.query<{ row: string }>(
      'select t::text as row from enrollment_tokens t',
    );
    expect(stored.filter(({ row }) => row.includes(enrollment_token))).toEqual([]);
  });

  it.each(['pending', 'failed', 'terminating', 'terminated'])(
    'is not minted for an instance that is %s',
    async (status) => {
      const instance = await instanceOf(status);
      if (status !== 'terminating') {
        await service.database.query('update instances set tunnel_address = null where id = $1', [
          instance.id,
        ]);
      }
      const { status: code } = await tenant.api.post(`/v1/instances/${instance.id}/enrollment-token`);
      expect(code).toBe(409);
    },
  );

  it('works once', async () => {
    const instance = await instanceOf();
    const body = await bodyOf(instance);
    expect((await enroll(service, instance.id, body)).status).toBe(200);
    const again = { ...body, csr_pem: other.csr_pem };
    expect((await enroll(service, instance.id, again)).status).toBe(401);
    expect((await withOperations(instance.id, again)).status).toBe(401);
  });

  it('works for 15 minutes', async () => {
    const [early, late] = [await instanceOf(), await instanceOf()];
    const [first, second] = [await bodyOf(early), await bodyOf(late)];
    service.clock.advance(14 * MINUTE_MS + 50_000);
    expect((await enroll(service, early.id, first)).status).toBe(200);
    service.clock.advance(10_000);
    expect((await enroll(service, late.id, second)).status).toBe(401);
    expect((await withOperations(late.id, second)).status).toBe(401);
    expect((await withOperations(late.id, { ...second, csr_pem: NO_REQUEST })).status).toBe(401);
  });

  it('works only for its own instance', async () => {
    const [mine, theirs] = [await instanceOf(), await instanceOf()];
    const { enrollment_token } = await bodyOf(theirs);
    const body = { ...(await bodyOf(mine)), enrollment_token };
    expect((await enroll(service, mine.id, body)).status).toBe(401);
    expect((await withOperations(mine.id, body)).status).toBe(401);
    // Before faults of the request.
    expect((await withOperations(mine.id, { ...body, csr_pem: NO_REQUEST })).status).toBe(401);
    expect(await unspent(theirs.id)).toBe(1);
  });

  it('is spent once when two keys enroll at once', async () => {
    const instance = await instanceOf();
    const body = await bodyOf(instance);
    const answers = await Promise.all([
      enroll(service, instance.id, body),
      enroll(service, instance.id, { ...body, csr_pem: other.csr_pem }),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
  });

  it('returns one certificate when sent twice at once', async () => {
    const instance = await instanceOf();
    const body = await bodyOf(instance);
    const answers = await Promise.all([1, 2, 3, 4].map(() => enroll(service, instance.id, body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body: issued }) => issued.cert_serial)).size).toBe(1);
  });

  it('is minted during termination without a deadlock', async () => {
    const instance = await instanceOf();
    await bodyOf(instance);
    service.clock.advance(15 * MINUTE_MS);
    await withConnection(service.database.url, async (ending) => {
      // The ending transaction would detect the deadlock first.
      await ending.query(`set deadlock_timeout = '10ms'`);
      await ending.query('begin');
      await ending.query('select from instances where id = $1 for update', [instance.id]);
      const minted = tenant.api.post(`/v1/instances/${instance.id}/enrollment-token`);
      await lockWaits(service.database, 1);
      await ending.query('delete from enrollment_tokens where instance_id = $1', [instance.id]);
      await ending.query('commit');
      expect((await minted).status).toBe(201);
    });
  });

  it('is deleted after its expiry when another is minted', async () => {
    const instance = await instanceOf();
    await newToken(service, tenant, instance.id);
    service.clock.advance(15 * MINUTE_MS);
    await newToken(service, tenant, instance.id);
    expect(await unspent(instance.id)).toBe(1);
  });
});

const json = (body: unknown) => ({ raw: JSON.stringify(body), headers: {} });

describe('without a credential', () => {
  it.each([
    ['nothing', { raw: '', headers: {} }],
    ['no JSON', { raw: '{"enrollment_token":', headers: {} }],
    ['another type', { raw: 'enrollment_token=a', headers: { 'content-type': 'text/plain' } }],
    ['more than a megabyte', { raw: `"${'a'.repeat(2 ** 20)}"`, headers: {} }],
    ['no object', json([])],
    ['null', json(null)],
    ['no token', json({})],
    ['no text', json({ enrollment_token: 1 })],
    ['NUL', json({ enrollment_token: '\0' })],
    ['a wrong token', json({ enrollment_token: 'aet_wrong' })],
  ])('answers 401 before any other fault: %s', async (_, request) => {
    const { id } = await instanceOf();
    for (const instance_id of [id, 'no-uuid']) {
      const path = `/internal/v1/instances/${instance_id}/enroll`;
      const answer = await service.anonymous.request('POST', path, request);
      expect([answer.status, answer.text]).toEqual([401, '{"detail":"Not authenticated"}']);
    }
  });

  it.each(['x-api-key', 'authorization'])(
    'answers 401 to a wrong %s even with a valid token',
    async (name) => {
      const instance = await instanceOf();
      const path = `/internal/v1/instances/${instance.id}/enroll`;
      const answer = await service.anonymous.with({ [name]: 'wrong' }).post(path, await bodyOf(instance));
      expect(answer.status).toBe(401);
    },
  );

  it('accepts a valid token, then checks the shape', async () => {
    const instance = await instanceOf();
    const { enrollment_token } = await bodyOf(instance);
    const answer = await enroll(service, instance.id.toUpperCase(), { enrollment_token });
    expect(answer.status).toBe(422);
    expect(answer.text.match(/"loc":\["body","\w+"\]/g)).toEqual(
      ['csr_pem', 'wg_public_key', 'vpn_ip'].map((name) => `"loc":["body","${name}"]`),
    );
  });
});

describe('the shape', () => {
  it.each([
    ['csr_pem', 'a'.repeat(90), 'string_too_short'],
    ['csr_pem', 'a'.repeat(20_000), 'string_too_long'],
    ['csr_pem', 7, 'string_type'],
    ['wg_public_key', Buffer.alloc(31).toString('base64'), 'string_pattern_mismatch'],
    ['wg_public_key', Buffer.alloc(33).toString('base64'), 'string_pattern_mismatch'],
    ['wg_public_key', `${'A'.repeat(42)}B=`, 'string_pattern_mismatch'],
    ['wg_public_key', `${newWgKey()}\n`, 'string_too_long'],
    ['vpn_ip', '10.64.0', 'string_pattern_mismatch'],
    ['vpn_ip', '11.64.0.1', 'string_pattern_mismatch'],
    ['vpn_ip', '10.64.0.1/32', 'string_pattern_mismatch'],
    ['enrollment_token', '', 'string_too_short'],
  ])('answers 422 to %s %j', async (name, value, type) => {
    const instance = await instanceOf();
    const answer = await withOperations(instance.id, { ...(await bodyOf(instance)), [name]: value });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ detail: [{ loc: ['body', name], type }] });
  });
});

describe('the certificate', () => {
  it('is valid to openssl for 24 hours', async () => {
    const before = service.clock.now();
    const { id, issued } = await enrolledInstance(service, tenant, csr);
    await expectTerms(service, id, issued, before);
    expect(await verify(issued.cert_pem)).toMatchObject({ ok: true });
  });

  it('names its instance, not the names of the request', async () => {
    const stranger = await instanceOf();
    const wished = `URI:spiffe://acp.test/instance/${stranger.id},DNS:localhost`;
    const asked = await newCsr(openssl, 'P-256', '-addext', `subjectAltName=${wished}`);
    const { id, issued } = await enrolledInstance(service, tenant, asked);
    const { subject, subjectAltName } = new X509Certificate(issued.cert_pem);
    expect([subject, subjectAltName]).toEqual([`CN=${id}`, `URI:spiffe://acp.test/instance/${id}`]);
  });

  it.each<[string, () => Promise<string> | string]>([
    ['a key that is too weak', async () => (await newCsr(openssl, 'RSA-1024')).csr_pem],
    ['a broken signature', () => broken(csr.csr_pem)],
    ['no request at all', () => NO_REQUEST],
  ])('is refused for %s without spending the token', async (_, pem) => {
    const instance = await instanceOf();
    const body = await bodyOf(instance);
    const answer = await enroll(service, instance.id, { ...body, csr_pem: await pem() });
    expect(answer.status, answer.text).toBe(400);
    expect((await enroll(service, instance.id, body)).status).toBe(200);
  });

  it('revokes the previous ones', async () => {
    const before = await enrolledInstance(service, tenant, csr);
    const answer = await enroll(service, before.id, await bodyOf(before));
    expect(answer.status, answer.text).toBe(200);
    // Lists are at most five seconds old.
    service.clock.advance(5000);
    expect(await verify(answer.body.cert_pem)).toMatchObject({ ok: true });
    const old = await verify(before.cert);
    expect(old.ok).toBe(false);
    expect(old.output).toContain('certificate revoked');
    const renew = { csr_pem: csr.csr_pem, wg_public_key: before.wg_public_key };
    const path = `/internal/v1/instances/${before.id}/cert/renew`;
    expect((await postAs(service, path, renew, before)).status).toBe(401);
  });
});

function broken(pem: string): string {
  const der = Buffer.from(pem.replaceAll(/-----.*-----|\s/g, ''), 'base64');
  der.writeUInt8(der.readUInt8(der.length - 1) ^ 1, der.length - 1);
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE REQUEST-----\n${lines.join('\n')}\n-----END CERTIFICATE REQUEST-----\n`;
}

describe('a lost response', () => {
  it('is repeated for the same token and keys until the certificate is used', async () => {
    const instance = await instanceOf('running');
    const body = await bodyOf(instance);
    const first = await enroll(service, instance.id, body);
    const again = await enroll(service, instance.id, body);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect((await withOperations(instance.id, body)).text).toBe(first.text);
    for (const otherwise of [{ wg_public_key: newWgKey() }, { csr_pem: other.csr_pem }]) {
      expect((await enroll(service, instance.id, { ...body, ...otherwise })).status).toBe(401);
    }
    const { vpn_ip, wg_public_key } = body;
    const path = `/internal/v1/instances/${instance.id}/secrets/refresh`;
    const identity = { key: csr.key, cert: first.body.cert_pem };
    expect((await postAs(service, path, { vpn_ip, wg_public_key }, identity)).status).toBe(200);
    expect((await enroll(service, instance.id, body)).status).toBe(401);
  });

  it('is not repeated after 15 minutes', async () => {
    const instance = await instanceOf();
    const body = await bodyOf(instance);
    expect((await enroll(service, instance.id, body)).status).toBe(200);
    service.clock.advance(15 * MINUTE_MS);
    expect((await enroll(service, instance.id, body)).status).toBe(401);
  });

  it('is repeated after a kill before it was sent', async () => {
    const instance = await instanceOf();
    const body = await bodyOf(instance);
    const mend = interruptTransactions(service, 'after the commit');
    expect((await enroll(service, instance.id, body)).status).toBe(500);
    mend();
    const answer = await enroll(service, instance.id, body);
    expect(answer.status, answer.text).toBe(200);
    const rows = await service.database.query<{ serial: string }>(
      'select serial from certificates where instance_id = $1',
      [instance.id],
    );
    expect(rows).toEqual([{ serial: answer.body.cert_serial }]);
  });

  it('leaves everything unchanged after a kill before the commit', async () => {
    const instance = await enrolledInstance(service, tenant, csr);
    const body = await bodyOf(instance);
    const mend = interruptTransactions(service, 'before the commit');
    expect((await enroll(service, instance.id, body)).status).toBe(500);
    mend();
    const renew = { csr_pem: csr.csr_pem, wg_public_key: instance.wg_public_key };
    const path = `/internal/v1/instances/${instance.id}/cert/renew`;
    expect((await postAs(service, path, renew, instance)).status).toBe(200);
    expect((await enroll(service, instance.id, body)).status).toBe(200);
  });
});

describe('the tunnel', () => {
  it('accepts a key for one instance of all tenants', async () => {
    const stranger = await service.createTenant();
    const { wg_public_key } = await enrolledInstance(service, stranger, csr);
    const instance = await instanceOf();
    const body = await bodyOf(instance);
    const answer = await enroll(service, instance.id, { ...body, wg_public_key });
    expect([answer.status, answer.body]).toEqual([409, { detail: expect.stringContaining('wg_public_key') }]);
    expect((await enroll(service, instance.id, body)).status).toBe(200);
  });

  it('accepts the instance’s own key again', async () => {
    const instance = await enrolledInstance(service, tenant, csr);
    const { wg_public_key } = instance;
    const body = { ...(await bodyOf(instance)), wg_public_key };
    expect((await enroll(service, instance.id, body)).status).toBe(200);
  });

  it.each(['10.64.255.255', '10.64.0.01', '10.999.0.1'])('refuses another address: %s', async (vpn_ip) => {
    const instance = await instanceOf();
    const body = await bodyOf(instance);
    expect((await enroll(service, instance.id, { ...body, vpn_ip })).status).toBe(401);
    expect(await unspent(instance.id)).toBe(1);
  });
});

describe('an instance', () => {
  it.each([
    ['provisioning', 200],
    ['running', 200],
    ['stopped', 200],
    ['terminating', 409],
    ['terminated', 409],
  ])('that is %s gets %i', async (status, expected) => {
    const instance = await instanceOf();
    const body = await bodyOf(instance);
    await setInstanceStatus(service, instance.id, status);
    expect((await enroll(service, instance.id, body)).status).toBe(expected);
    expect((await withOperations(instance.id, body)).status).toBe(expected);
  });

  it('that ends meanwhile gets no certificate', async () => {
    const instance = await instanceOf('running');
    const body = await bodyOf(instance);
    const { end } = await openTransaction(service.database.url, [
      `update instances set status = 'terminating' where id = $1`,
      [instance.id],
    ]);
    const enrollment = enroll(service, instance.id, body);
    await lockWaits(service.database, 1);
    await end('commit');
    expect((await enrollment).status).toBe(409);
    expect(
      await service.database.query('select from certificates where instance_id = $1', [instance.id]),
    ).toEqual([]);
  });

  it('that does not exist is 404 to operations and 401 to a token', async () => {
    const instance = await instanceOf();
    const body = await bodyOf(instance);
    const id = randomUUID();
    expect((await withOperations(id, body)).status).toBe(404);
    expect((await enroll(service, id, body)).status).toBe(401);
  });

  it('enrolls although the clock was set back by an hour', async () => {
    const instance = await instanceOf();
    const body = await bodyOf(instance);
    service.clock.advance(-HOUR_MS);
    expect((await enroll(service, instance.id, body)).status).toBe(200);
  });
});
