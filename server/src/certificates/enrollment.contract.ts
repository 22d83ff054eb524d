import Type from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import { about, InstanceParams, Int, secret, Text, Timestamp } from '../platform/contract/shapes.ts';

const tag = 'Instance identity';

/** 32 bytes in base64: the last digit before the = holds four bits. */
const WG_PUBLIC_KEY = '^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$';

/** Specification, section 8. */
export const CsrPem = Text(10_000, 100);

/** Compared with the instance's address, so ranges are not checked (specification, section 4.10). */
export const VpnIp = Type.String({ maxLength: 15, pattern: '^10\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}$' });

export const Generation = Type.Optional(
  about(
    Int({ minimum: 0 }),
    'RUNTIME_GENERATION of the runtime. 409 `runtime_replaced` where a newer runtime of the instance has been started',
  ),
);

export const IssuedCertificate = NamedObject('IssuedCertificate', {
  cert_pem: Type.String(),
  cert_serial: Type.String({ description: '32 hexadecimal digits' }),
  not_before: Timestamp,
  expires_at: Timestamp,
  renew_after: Timestamp,
  ca_pem: Type.String({ description: 'What the control plane’s own certificate is checked against' }),
});

export const enrollInstance = operation({
  id: 'enroll_instance',
  isUnlimited: true,
  method: 'POST',
  path: '/internal/v1/instances/{instance_id}/enroll',
  tag,
  summary: 'Give an instance its certificate and its end of the tunnel',
  description:
    'The token is good once. Asked again with the same token and the same key within its time, until the certificate has been used, the same certificate comes back: an answer that got lost costs nothing. The certificates before are revoked. A runtime that has no proxy key sends no credential: the token in the body is one.',
  credential: 'enrollment',
  scope: null,
  sender: 'none',
  params: InstanceParams,
  body: NamedObject('EnrollRequest', {
    enrollment_token: secret(Text(1000, 1)),
    csr_pem: CsrPem,
    wg_public_key: Type.String({
      maxLength: 44,
      pattern: WG_PUBLIC_KEY,
      description: 'WireGuard, 32 bytes in base64',
    }),
    vpn_ip: VpnIp,
    generation: Generation,
  }),
  responses: { 200: IssuedCertificate },
  failures: [400, 409, 500],
});

export const createEnrollmentToken = operation({
  id: 'create_enrollment_token',
  method: 'POST',
  path: '/v1/instances/{instance_id}/enrollment-token',
  tag,
  summary: 'Mint a token for an instance that lost everything to enroll with',
  description: 'Good once, for 15 minutes. What the instance has stays valid until the token is used.',
  credential: 'admin',
  scope: 'instance-creds:write',
  params: InstanceParams,
  responses: {
    201: NamedObject('EnrollmentToken', {
      enrollment_token: secret(Type.String({ description: 'Shown once' })),
      vpn_ip: Type.String(),
      expires_at: Timestamp,
    }),
  },
  failures: [409],
});
