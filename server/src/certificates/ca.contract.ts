import Type from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import { Timestamp } from '../platform/contract/shapes.ts';

const tag = 'Certificate authority';
const PEM = 'application/x-pem-file';

export const getCaBundle = operation({
  id: 'get_ca_bundle',
  method: 'GET',
  path: '/v1/public/ca.pem',
  tag,
  summary: 'The certificates of the authority that are trusted',
  description:
    'PEM: the certificate that issues now, then replaced ones whose certificates have not all run out, then the root. What servers and instances are checked against (`openssl verify -CAfile ca.pem`). Answers If-None-Match with 304.',
  credential: 'none',
  scope: null,
  responses: { 200: Type.String(), 304: null },
  produces: [PEM],
});

export const getCaCrl = operation({
  id: 'get_ca_crl',
  method: 'GET',
  path: '/v1/public/ca.crl',
  tag,
  summary: 'The certificates that are revoked',
  description:
    'One list (X.509 CRL, version 2) of each trusted issuer and of the root, one after the other, in the order of ca.pem. They are PEM, not DER, which could hold one alone: `openssl verify -crl_check -CAfile ca.pem -CRLfile ca.crl`. A revocation is in it within 5 seconds; a list is valid for 24 hours. Answers If-None-Match with 304.',
  credential: 'none',
  scope: null,
  responses: { 200: Type.String(), 304: null },
  produces: [PEM],
});

export const rotateCa = operation({
  id: 'rotate_ca',
  method: 'POST',
  path: '/internal/v1/ca/rotate',
  tag,
  summary: 'Replace the key that issues certificates',
  description:
    'The one before stays trusted until what it issued has run out. 409 where the authority was given by file.',
  credential: 'operations',
  scope: null,
  responses: {
    201: NamedObject('IssuingCertificate', {
      issuing_certificate_serial: Type.String(),
      not_after: Timestamp,
    }),
  },
  failures: [409, 503],
});
