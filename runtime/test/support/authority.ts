import { PeculiarX509 } from '../../../server/src/adapters/x509/peculiar-x509.ts';
import { newSerial } from '../../../server/src/certificates/ca-terms.ts';
import type { CertificateRequest } from '../../../server/src/certificates/x509.port.ts';

const hourMs = 3_600_000;

/** A valid request. The key tells requests apart. */
export interface ReadRequest {
  request: CertificateRequest;
  key: string;
}

/** The server's own CA, which decides if a request is valid. */
export interface Authority {
  /** The issuing one, then its root. */
  ca_pem: string;
  root_pem: string;
  server: { cert: string; key: string };
  read: (csr_pem: unknown) => Promise<ReadRequest | undefined>;
  issue: (
    request: CertificateRequest,
    instanceId: string,
    from: Date,
    until: Date,
  ) => Promise<{ serial: string; cert_pem: string }>;
}

const terms = (from = new Date(Date.now() - hourMs), until = new Date(Date.now() + 240 * hourMs)) => ({
  serial: newSerial(),
  not_before: from,
  not_after: until,
});

/** A new CA at each call. */
export async function startAuthority(): Promise<Authority> {
  const x509 = new PeculiarX509();
  const root = await x509.createRoot({ ...terms(), common_name: 'Test authority' });
  const top = await x509.openIssuer(root);
  const issuing = await top.issueAuthority({ ...terms(), common_name: 'Test issuing authority' });
  const issuer = await x509.openIssuer(issuing);
  const server = await issuer.issueServer({ ...terms(), hostnames: ['localhost'], ips: ['127.0.0.1'] });
  return {
    ca_pem: issuing.cert_pem + root.cert_pem,
    root_pem: root.cert_pem,
    server: { cert: server.cert_pem, key: server.private_key_pem },
    read: async (csr_pem) => {
      const request = await x509.readRequest(String(csr_pem)).catch(() => undefined);
      return request && { request, key: request.public_key_sha256.toString('hex') };
    },
    issue: async (request, instanceId, from, until) => {
      const certificate = terms(from, until);
      const spiffe_id = `spiffe://acp.test/instance/${instanceId}`;
      const cert_pem = await issuer.issueRuntime(request, {
        ...certificate,
        common_name: instanceId,
        spiffe_id,
      });
      return { serial: certificate.serial, cert_pem };
    },
  };
}
