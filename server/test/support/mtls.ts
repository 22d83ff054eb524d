import { createHash, generateKeyPairSync } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Agent, type RequestOptions, request } from 'node:https';
import { text as readAll } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { insertCertificate, type NewCertificate } from '../../src/certificates/certificates.db.ts';
import { issueCertificate } from '../../src/certificates/certificates.ts';
import type { CertificateRequest } from '../../src/certificates/x509.port.ts';
import type { TestService } from './service.ts';

export interface Identity {
  cert: string;
  key: string;
}

export function newKey(): { key: string; request: CertificateRequest } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const public_key_spki = publicKey.export({ type: 'spki', format: 'der' });
  const public_key_sha256 = createHash('sha256').update(public_key_spki).digest();
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    request: { public_key_spki, public_key_sha256 },
  };
}

export async function giveCertificate(
  { service: { services } }: TestService,
  { tenant_id, instance_id }: { tenant_id: string; instance_id: string },
): Promise<Identity & { row: NewCertificate }> {
  const { key, request } = newKey();
  const q = services.db.tenant(tenant_id);
  const row = await issueCertificate(services, q, instance_id, request);
  await q.run(insertCertificate(row));
  return { cert: row.cert_pem, key, row };
}

interface TlsAnswer {
  status: number;
  text: string;
  headers: IncomingHttpHeaders;
  /** SHA-256 of the server's certificate. */
  server: string;
  resumed: boolean;
}

export type TlsOptions = Omit<RequestOptions, 'headers'> & {
  headers?: Record<string, string>;
  body?: unknown;
};

/** A client's socket gives its peer's certificate only once. */
const fingerprints = new WeakMap<TLSSocket, string>();

/** On a new connection unless an agent is given. */
export function tlsRequest(url: string, { body, ...options }: TlsOptions = {}): Promise<TlsAnswer> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const headers = {
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    }),
    ...options.headers,
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent: new Agent(), ...options, headers }, (response) => {
      const socket = response.socket as TLSSocket;
      const server = fingerprints.get(socket) ?? '';
      const resumed = socket.isSessionReused();
      const { statusCode: status = 0, headers } = response;
      readAll(response).then((text) => resolve({ status, text, headers, server, resumed }), reject);
    });
    sent.on('socket', (socket: TLSSocket) => {
      socket.once('secureConnect', () => {
        fingerprints.set(socket, socket.getPeerX509Certificate()?.fingerprint256 ?? '');
      });
    });
    sent.on('error', reject);
    sent.end(text);
  });
}
