import type { FieldDocs } from '../platform/contract/wording.ts';

export const certificatesDocs: FieldDocs = {
  texts: {
    cert_pem: 'The certificate, in PEM',
    csr_pem: 'The certificate signing request, in PEM',
    enrollment_token: 'The one-time token that the instance was given',
    issuing_certificate_serial: 'Serial number of the issuing certificate',
    not_after: 'When the certificate ends',
    not_before: 'When the certificate begins',
    renew_after: 'From when on the certificate should be renewed',
    vpn_ip: 'The instance’s address in the tunnel',
    wg_public_key: 'The public WireGuard key',
  },
  examples: {
    'list_operator_ca.id': '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a21',
    issued_by: null,
    'list_operator_ca.serial': '4c0e9d4e6c1e4a7e9a510d2f4c8e7a21',
    retired_at: null,
    not_before: '2026-11-20T08:55:00.000Z',
    not_after: '2028-11-19T08:55:00.000Z',
    renew_after: '2026-11-21T01:00:00.000Z',
    enrollment_token: 'aet_example-enrollment-token',
    csr_pem:
      '-----BEGIN CERTIFICATE REQUEST-----\nMIHKMHICAQAwEDEOMAwGA1UEAwwFYWdlbnQwWTATBgcqhkjOPQIBBggqhkjOPQMB\nBwNCAAQ47zpxM9czjDpqrRx7r8Ihgl62Ok8r1zilfzWckk8icjXf8J8xLbUq9O1r\nw9rjF5w1/7XNHCknVz70BfM4eMTYoAAwCgYIKoZIzj0EAwIDSAAwRQIgZ2MyUzeR\nZ8d7UK83bhi4Zi4flof+rLUXA56HJ/CJiKcCIQC3tZKUf2azKkV1tUXVi3/TWG0r\n4X4UUXse4eaj0tT61g==\n-----END CERTIFICATE REQUEST-----\n',
    cert_pem: '-----BEGIN CERTIFICATE-----\nMIIB…\n-----END CERTIFICATE-----\n',
    ca_pem: '-----BEGIN CERTIFICATE-----\nMIIB…\n-----END CERTIFICATE-----\n',
    cert_serial: '5b0d1f6e8c2a4937b1d2e3f405162738',
    issuing_certificate_serial: '4a3c2b1d0e9f8a7b6c5d4e3f2a1b0c9d',
    wg_public_key: '++0qx2TUFqXaEFrvg4djLydAbxM3De5uy2wGvJqfekY=',
    vpn_ip: '10.64.0.7',
  },
  bodies: {
    'list_tunnel_peers text/plain':
      '[Peer]\n# instance 5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a06\nPublicKey = ++0qx2TUFqXaEFrvg4djLydAbxM3De5uy2wGvJqfekY=\nAllowedIPs = 10.64.0.7/32\n',
    'get_ca_bundle application/x-pem-file':
      '-----BEGIN CERTIFICATE-----\nMIIB…\n-----END CERTIFICATE-----\n-----BEGIN CERTIFICATE-----\nMIIB…\n-----END CERTIFICATE-----\n',
    'get_ca_crl application/x-pem-file': '-----BEGIN X509 CRL-----\nMIIB…\n-----END X509 CRL-----\n',
  },
};
