import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import { InstanceParams, Text } from '../platform/contract/shapes.ts';
import { CsrPem, Generation, IssuedCertificate } from './enrollment.contract.ts';

export const renewCertificate = operation({
  id: 'renew_certificate',
  isUnlimited: true,
  method: 'POST',
  path: '/internal/v1/instances/{instance_id}/cert/renew',
  tag: 'Instance identity',
  summary: 'Replace an instance’s certificate by one that is valid for another 24 hours',
  description:
    'Over mutual TLS, with the certificate that is to be replaced; it is revoked. Once an hour. Asked again within 15 minutes with the replaced certificate and the same key in the CSR, until the new certificate has been used, the same new one comes back: an answer that got lost costs nothing.',
  credential: 'instance',
  scope: null,
  sender: 'none',
  params: InstanceParams,
  body: NamedObject('CertificateRenewRequest', {
    csr_pem: CsrPem,
    wg_public_key: Text(1000),
    generation: Generation,
  }),
  responses: { 200: IssuedCertificate },
  failures: [400, 409, 429, 500],
});
