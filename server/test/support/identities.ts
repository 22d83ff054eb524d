import { randomBytes, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { expect } from 'vitest';
import { addEnrollmentToken } from '../../src/certificates/enrollment-tokens.ts';
import { insertInstance, type TestInstance } from './instances.ts';
import { type Identity, tlsRequest } from './mtls.ts';
import type { KeyName, OpenSsl, Verdict } from './openssl.ts';
import { OPERATIONS_TOKEN, type TestService, type TestTenant } from './service.ts';

export interface IssuedBody {
  cert_pem: string;
  cert_serial: string;
  not_before: string;
  expires_at: string;
  renew_after: string;
  ca_pem: string;
}

export interface Csr {
  key: string;
  csr_pem: string;
}

export interface EnrolledInstance extends TestInstance, Identity {
  wg_public_key: string;
  issued: IssuedBody;
}

export const newWgKey = () => randomBytes(32).toString('base64');

export async function newCsr(openssl: OpenSsl, kind: KeyName = 'P-256', ...args: string[]): Promise<Csr> {
  const path = await openssl.key(kind);
  return { key: await readFile(path, 'utf8'), csr_pem: await openssl.request(path, ...args) };
}

export async function newToken(
  { service }: TestService,
  { tenant_id }: Pick<TestTenant, 'tenant_id'>,
  instance_id: string,
): Promise<string> {
  const q = service.services.db.tenant(tenant_id);
  return (await addEnrollmentToken(q, instance_id)).enrollment_token;
}

export const enroll = (service: TestService, instance_id: string, body: unknown) =>
  service.anonymous.post<IssuedBody>(`/internal/v1/instances/${instance_id}/enroll`, body);

export async function enrolledInstance(
  service: TestService,
  tenant: Pick<TestTenant, 'tenant_id'>,
  csr: Csr,
): Promise<EnrolledInstance> {
  const instance = await insertInstance(service, tenant.tenant_id);
  const wg_public_key = newWgKey();
  const enrollment_token = await newToken(service, tenant, instance.id);
  const { vpn_ip } = instance;
  const body = { enrollment_token, csr_pem: csr.csr_pem, wg_public_key, vpn_ip };
  const answer = await enroll(service, instance.id, body);
  expect(answer.status, answer.text).toBe(200);
  return { ...instance, wg_public_key, key: csr.key, cert: answer.body.cert_pem, issued: answer.body };
}

interface TlsReply<T> {
  status: number;
  retry_after: number;
  headers: IncomingHttpHeaders;
  text: string;
  body: T;
}

/** Over mutual TLS, by default with the operations token. */
export async function postAs<T>(
  service: TestService,
  path: string,
  body: unknown,
  identity: Identity | undefined,
  headers: Record<string, string> = { authorization: `Bearer ${OPERATIONS_TOKEN}` },
): Promise<TlsReply<T>> {
  const ca = await service.service.services.authority.trustBundle();
  const { cert, key } = identity ?? {};
  const url = `${service.mtls_url}${path}`;
  const options = { method: 'POST', ca, headers, body, ...(identity && { cert, key }) };
  const { status, text, headers: answered } = await tlsRequest(url, options);
  return {
    status,
    retry_after: Number(answered['retry-after']),
    headers: answered,
    text,
    body: JSON.parse(text) as T,
  };
}

export async function publicTrust({ anonymous }: TestService): Promise<{ ca: string; crl: string }> {
  const [bundle, lists] = [
    await anonymous.get('/v1/public/ca.pem'),
    await anonymous.get('/v1/public/ca.crl'),
  ];
  return { ca: bundle.text, crl: lists.text };
}

const inSeconds = (time: string | Date) => Math.floor(new Date(time).getTime() / 1000);

/** With openssl, the public bundle and lists, and the service's time, which tests change. */
export const verdictOf = async (openssl: OpenSsl, service: TestService, cert: string): Promise<Verdict> =>
  openssl.verify(cert, await publicTrust(service), '-attime', String(inSeconds(service.clock.now())));

/** The terms of the contract (section 8). */
export async function expectTerms(
  service: TestService,
  instance_id: string,
  issued: IssuedBody,
  asked_at: Date,
) {
  const { subjectAltName, serialNumber } = new X509Certificate(issued.cert_pem);
  expect(subjectAltName).toBe(`URI:spiffe://acp.test/instance/${instance_id}`);
  expect(serialNumber.toLowerCase()).toBe(issued.cert_serial);
  const issuedAt = inSeconds(issued.not_before) + 300;
  expect(issuedAt - inSeconds(asked_at)).toBeGreaterThanOrEqual(0);
  expect(issuedAt - inSeconds(asked_at)).toBeLessThan(60);
  expect(inSeconds(issued.expires_at)).toBe(issuedAt + 86_400);
  expect(inSeconds(issued.renew_after)).toBe(issuedAt + 57_600);
  expect(issued.ca_pem).toBe((await publicTrust(service)).ca);
}
