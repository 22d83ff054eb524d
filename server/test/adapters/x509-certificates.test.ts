import { createPrivateKey, randomUUID, webcrypto, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo } from 'node:net';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { x509 } from '../../src/adapters/x509/library.ts';
import { PeculiarX509 } from '../../src/adapters/x509/peculiar-x509.ts';
import { newTerms } from '../../src/certificates/ca-terms.ts';
import type { CertifiedKey, Issuer, RevokedCertificate } from '../../src/certificates/x509.port.ts';
import { growthOf, LESS_THAN_QUADRATIC } from '../support/growth.ts';
import { type KeyName, OpenSsl } from '../support/openssl.ts';

const HOUR_MS = 60 * 60 * 1000;
const now = new Date();
const instance_id = randomUUID();
const spiffe_id = `spiffe://acp.test/instance/${instance_id}`;

const peculiar = new PeculiarX509();
const terms = (hours = 24) => newTerms(now, now.getTime() + hours * HOUR_MS);
let openssl: OpenSsl;
let rootKey: CertifiedKey;
let root: Issuer;
let issuingKey: CertifiedKey;
let issuing: Issuer;
let bundle: string;

beforeAll(async () => {
  openssl = await OpenSsl.open();
  rootKey = await peculiar.createRoot({ ...terms(1000), common_name: 'Root' });
  root = await peculiar.openIssuer(rootKey);
  issuingKey = await root.issueAuthority({ ...terms(500), common_name: 'Issuing' });
  issuing = await peculiar.openIssuer(issuingKey);
  bundle = rootKey.cert_pem + issuingKey.cert_pem;
});
afterAll(() => openssl.close());

async function issue(csr_pem: string, by = issuing) {
  const certificate = { ...terms(), common_name: instance_id, spiffe_id };
  return {
    ...certificate,
    cert_pem: await by.issueRuntime(await peculiar.readRequest(csr_pem), certificate),
  };
}

const list = (
  by: Issuer,
  revoked: RevokedCertificate[] = [],
  this_update = new Date(now.getTime() - HOUR_MS),
) =>
  by.signRevocationList({
    number: BigInt(now.getTime()),
    revoked,
    this_update,
    next_update: new Date(now.getTime() + 24 * HOUR_MS),
  });

const bothLists = async (...revoked: RevokedCertificate[]) =>
  (await list(root)) + (await list(issuing, revoked));

const client = ['-purpose', 'sslclient'];

describe('a runtime’s certificate', () => {
  it.each<KeyName>(['P-256', 'P-384', 'Ed25519', 'RSA-2048'])('for %s is valid to openssl', async (name) => {
    const key = await openssl.key(name);
    const { cert_pem } = await issue(await openssl.request(key));
    expect(await openssl.verify(cert_pem, { ca: bundle }, ...client)).toMatchObject({ ok: true });
    expect(await openssl.text('x509', '-in', await openssl.file(cert_pem), '-noout', '-pubkey')).toBe(
      await openssl.text('pkey', '-in', key, '-pubout'),
    );
    expect(await openssl.verify(cert_pem, { ca: bundle }, '-purpose', 'sslserver')).toMatchObject({
      ok: true,
    });
    expect((await openssl.verify(cert_pem, { ca: rootKey.cert_pem }, ...client)).ok).toBe(false);
    // The control plane's callers go by a host's name or address.
    const names = [
      ['-verify_hostname', 'localhost'],
      ['-verify_ip', '127.0.0.1'],
    ];
    for (const name of names)
      expect((await openssl.verify(cert_pem, { ca: bundle }, ...name)).ok).toBe(false);
  });

  it('has the names that the caller chose, and none of the request', async () => {
    const asking = await openssl.request(
      await openssl.key('P-256'),
      '-subj',
      '/CN=root/O=Somebody',
      '-addext',
      'basicConstraints=critical,CA:TRUE',
      '-addext',
      'subjectAltName=URI:spiffe://acp.test/instance/another,DNS:example.com',
      '-addext',
      'keyUsage=keyCertSign',
      '-addext',
      'extendedKeyUsage=serverAuth',
    );
    const { cert_pem, serial, not_before, not_after } = await issue(asking);
    const certificate = new X509Certificate(cert_pem);
    expect(certificate.subject).toBe(`CN=${instance_id}`);
    expect(certificate.subjectAltName).toBe(`URI:${spiffe_id}`);
    expect(certificate.ca).toBe(false);
    expect(certificate.serialNumber.toLowerCase()).toBe(serial);
    expect([new Date(certificate.validFrom), new Date(certificate.validTo)]).toEqual([not_before, not_after]);
    const text = await openssl.text('x509', '-in', await openssl.file(cert_pem), '-noout', '-text');
    expect(text).toMatch(/Basic Constraints: critical\s+CA:FALSE/);
    expect(text).toMatch(/X509v3 Key Usage: critical\s+Digital Signature\n/);
    expect(text).toMatch(
      /Extended Key Usage: \s+TLS Web Client Authentication, TLS Web Server Authentication\n/,
    );
    expect(text).not.toMatch(/another|example\.com|Somebody/);
  });

  it('names its key by SHA-256, and its issuer’s key as the issuer does', async () => {
    const csr = await openssl.request(await openssl.key('P-256'));
    const { public_key_sha256 } = await peculiar.readRequest(csr);
    for (const [by, { cert_pem }] of [[issuing, issuingKey] as const, [root, rootKey] as const]) {
      const issued = await keyIds((await issue(csr, by)).cert_pem);
      expect(issued).toEqual({
        subject: public_key_sha256.toString('hex'),
        authority: (await keyIds(cert_pem)).subject,
      });
    }
  });

  it.each(['agent-1', 'Zoë'])(
    'is byte for byte what the library’s generator makes: %s',
    async (common_name) => {
      // Ed25519 signatures are deterministic.
      const key = await openssl.key('Ed25519');
      const private_key_pem = await readFile(key, 'utf8');
      const issuer_pem = await openssl.text('req', '-x509', '-new', '-key', key, '-subj', '/CN=Given/O=Ünit');
      const request = await peculiar.readRequest(await openssl.request(await openssl.key('P-256')));
      const certificate = { ...terms(), common_name, spiffe_id };
      const issuer = new x509.X509Certificate(issuer_pem);
      const pkcs8 = createPrivateKey(private_key_pem).export({ type: 'pkcs8', format: 'der' });
      const generated = await x509.X509CertificateGenerator.create({
        serialNumber: certificate.serial,
        subject: [{ CN: [common_name] }],
        issuer: issuer.subjectName,
        notBefore: certificate.not_before,
        notAfter: certificate.not_after,
        publicKey: request.public_key_spki,
        signingKey: await webcrypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', false, ['sign']),
        extensions: [
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
          new x509.ExtendedKeyUsageExtension([
            x509.ExtendedKeyUsage.clientAuth,
            x509.ExtendedKeyUsage.serverAuth,
          ]),
          new x509.SubjectAlternativeNameExtension([{ type: 'url', value: spiffe_id }]),
          new x509.SubjectKeyIdentifierExtension(request.public_key_sha256.toString('hex')),
          await x509.AuthorityKeyIdentifierExtension.create(issuer),
        ],
      });
      const own = await (await peculiar.openIssuer({ cert_pem: issuer_pem, private_key_pem })).issueRuntime(
        request,
        certificate,
      );
      expect(own).toBe(`${generated.toString('pem')}\n`);
    },
  );

  it('cannot issue others', async () => {
    const key = await openssl.key('P-256');
    const { cert_pem } = await issue(await openssl.request(key));
    const rogue = await peculiar.openIssuer({ cert_pem, private_key_pem: await readFile(key, 'utf8') });
    const forged = await issue(await openssl.request(await openssl.key('P-256')), rogue);
    const untrusted = ['-untrusted', await openssl.file(cert_pem)];
    expect((await openssl.verify(forged.cert_pem, { ca: bundle }, ...untrusted)).ok).toBe(false);
  });
});

/** Subject and authority key ids, as openssl reads them. */
async function keyIds(cert_pem: string) {
  const args = ['-noout', '-ext', 'subjectKeyIdentifier,authorityKeyIdentifier'];
  const text = await openssl.text('x509', '-in', await openssl.file(cert_pem), ...args);
  const idOf = (whose: string) =>
    new RegExp(`${whose} Key Identifier: \\s+(?:keyid:)?([0-9A-F:]+)`)
      .exec(text)?.[1]
      ?.replaceAll(':', '')
      .toLowerCase();
  return { subject: idOf('Subject'), authority: idOf('Authority') };
}

describe('an authority’s certificate', () => {
  it('can issue others to the depth of its path length', async () => {
    expect(await openssl.verify(issuingKey.cert_pem, { ca: rootKey.cert_pem })).toMatchObject({ ok: true });
    const text = async ({ cert_pem }: CertifiedKey) =>
      openssl.text('x509', '-in', await openssl.file(cert_pem), '-noout', '-text');
    expect(await text(rootKey)).toMatch(/Basic Constraints: critical\s+CA:TRUE, pathlen:1\n/);
    expect(await text(issuingKey)).toMatch(/Basic Constraints: critical\s+CA:TRUE, pathlen:0\n/);
    expect(await text(issuingKey)).toMatch(/Key Usage: critical\s+Certificate Sign, CRL Sign\n/);
    const deeper = await issuing.issueAuthority({ ...terms(), common_name: 'Deeper' });
    const { cert_pem } = await issue(
      await openssl.request(await openssl.key('P-256')),
      await peculiar.openIssuer(deeper),
    );
    const untrusted = ['-untrusted', await openssl.file(deeper.cert_pem)];
    const verdict = await openssl.verify(cert_pem, { ca: bundle }, ...untrusted);
    expect(verdict.output).toContain('path length constraint exceeded');
  });

  it.each<KeyName>(['RSA-2048', 'Ed25519', 'P-384'])('can have a given %s key', async (name) => {
    const key = await openssl.key(name);
    const args = ['-subj', '/CN=Given', '-addext', 'keyUsage=critical,keyCertSign,cRLSign'];
    const cert_pem = await openssl.text('req', '-x509', '-new', '-key', key, ...args);
    const given = await peculiar.openIssuer({ cert_pem, private_key_pem: await readFile(key, 'utf8') });
    const issued = await issue(await openssl.request(await openssl.key('P-256')), given);
    const crl = await list(given, [{ serial: terms().serial, revoked_at: now, reason: 'superseded' }]);
    expect(await openssl.verify(issued.cert_pem, { ca: cert_pem, crl }, ...client)).toMatchObject({
      ok: true,
    });
  });
});

describe('a revocation list', () => {
  it('makes openssl refuse only the revoked certificate', async () => {
    const csr = await openssl.request(await openssl.key('P-256'));
    const [old, fresh] = [await issue(csr), await issue(csr)];
    const before = { ca: bundle, crl: await bothLists() };
    const after = {
      ca: bundle,
      crl: await bothLists({ serial: old.serial, revoked_at: now, reason: 'superseded' }),
    };
    expect(await openssl.verify(old.cert_pem, before, ...client)).toMatchObject({ ok: true });
    expect(await openssl.verify(fresh.cert_pem, after, ...client)).toMatchObject({ ok: true });
    const verdict = await openssl.verify(old.cert_pem, after, ...client);
    expect(verdict).toMatchObject({ ok: false, output: expect.stringContaining('certificate revoked') });
  });

  it('lists the given entries in version 2', async () => {
    const revoked_at = new Date('2026-01-31T09:30:00Z');
    const revoked = (['key_compromise', 'unspecified', 'cessation_of_operation'] as const).map(
      (reason, index) => ({
        serial: `4${String(index).repeat(31)}`,
        revoked_at,
        reason,
      }),
    );
    const crl = await openssl.file(await list(issuing, revoked, new Date('2051-02-03T04:05:06Z')));
    const text = await openssl.text(
      'crl',
      '-in',
      crl,
      '-noout',
      '-text',
      '-CAfile',
      await openssl.file(bundle),
    );
    expect(text).toContain('verify OK');
    expect(text).toContain('Version 2 (0x1)');
    expect(text).toContain('Issuer: CN = Issuing');
    expect(text).toContain('Last Update: Feb  3 04:05:06 2051 GMT');
    expect(text).toMatch(
      new RegExp(`X509v3 CRL Number: \\s+(0x${now.getTime().toString(16)}|${now.getTime()})`, 'i'),
    );
    const keyId = /Subject Key Identifier: \s+([0-9A-F:]+)/.exec(
      await openssl.text('x509', '-in', await openssl.file(issuingKey.cert_pem), '-noout', '-text'),
    )?.[1];
    expect(text).toMatch(new RegExp(`Authority Key Identifier: \\s+(keyid:)?${keyId}`));
    const entries = [
      ...text.matchAll(/Serial Number: (\w+)\s+Revocation Date: (.+)\n(?:.*\n.*Reason Code: *\n *(.+)\n)?/g),
    ];
    expect(entries.map(([, serial, at, reason]) => [serial?.toLowerCase(), at, reason])).toEqual([
      [revoked[0]?.serial, 'Jan 31 09:30:00 2026 GMT', 'Key Compromise'],
      [revoked[1]?.serial, 'Jan 31 09:30:00 2026 GMT', undefined],
      [revoked[2]?.serial, 'Jan 31 09:30:00 2026 GMT', 'Cessation Of Operation'],
    ]);
  });

  it('of 20,000 certificates is made in linear time', async () => {
    let crl = '';
    const listMany = async (length: number) => {
      const entry = { revoked_at: now, reason: 'superseded' } as const;
      crl = await list(
        issuing,
        Array.from({ length }, () => ({ ...entry, serial: terms().serial })),
      );
    };
    expect(await growthOf(listMany, 5000, 1)).toBeLessThan(LESS_THAN_QUADRATIC);
    const text = await openssl.text(
      'crl',
      '-in',
      await openssl.file(crl),
      '-noout',
      '-text',
      '-CAfile',
      await openssl.file(bundle),
    );
    expect(text).toContain('verify OK');
    expect(text.match(/Serial Number/g)).toHaveLength(20_000);
  });
});

/** Returns the verdicts of client and server about each other. */
async function meet(server: CertifiedKey, certified: CertifiedKey, crl: string[]) {
  const listener = createServer({
    cert: server.cert_pem,
    key: server.private_key_pem,
    ca: bundle,
    crl,
    requestCert: true,
    rejectUnauthorized: false,
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const arrived = once(listener, 'secureConnection') as Promise<[TLSSocket]>;
  const socket = connect({
    port,
    host: '127.0.0.1',
    servername: 'control-plane.test',
    ca: rootKey.cert_pem,
    cert: certified.cert_pem,
    key: certified.private_key_pem,
    rejectUnauthorized: false,
  });
  await once(socket, 'secureConnect');
  const [accepted] = await arrived;
  const result = {
    serverTrusted: socket.authorized,
    clientTrusted: accepted.authorized,
    error: accepted.authorizationError,
    name: accepted.getPeerX509Certificate()?.subjectAltName,
  };
  socket.destroy();
  accepted.destroy();
  listener.close();
  return result;
}

describe('a TLS listener with a certificate of the authority', () => {
  it('trusts its clients, and they trust it', async () => {
    const server = await issuing.issueServer({
      ...terms(),
      hostnames: ['control-plane.test'],
      ips: ['127.0.0.1', '::1'],
    });
    const verdict = await openssl.verify(
      server.cert_pem,
      { ca: bundle },
      '-purpose',
      'sslserver',
      '-verify_hostname',
      'control-plane.test',
      '-verify_ip',
      '127.0.0.1',
    );
    expect(verdict).toMatchObject({ ok: true });
    const key = await openssl.key('P-256');
    const private_key_pem = await readFile(key, 'utf8');
    const { cert_pem, serial } = await issue(await openssl.request(key));
    const good = await meet(server, { cert_pem, private_key_pem }, [await list(root), await list(issuing)]);
    expect(good).toEqual({ serverTrusted: true, clientTrusted: true, error: null, name: `URI:${spiffe_id}` });
    const revoked = await list(issuing, [{ serial, revoked_at: now, reason: 'superseded' }]);
    expect(await meet(server, { cert_pem, private_key_pem }, [await list(root), revoked])).toMatchObject({
      clientTrusted: false,
      error: 'CERT_REVOKED',
    });
  });
});
