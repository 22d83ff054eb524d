import { X509Certificate } from 'node:crypto';
import { BlockList } from 'node:net';
import Fastify from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import { PeculiarX509 } from '../../src/adapters/x509/peculiar-x509.ts';
import {
  addClientCertificates,
  parseClientCertificate,
} from '../../src/certificates/client-certificates.http.ts';
import { growthOf, LESS_THAN_QUADRATIC } from '../support/growth.ts';
import { newKey } from '../support/mtls.ts';

const HEADER = 'x-forwarded-client-cert';
const PROXY = '10.1.2.3';
const HASH = 'Hash=468ed33be74eee6556d90c0149c1309e9ba61d6425303443c0748a02dd8de688';
const DAY_MS = 86_400_000;

let theirs: string;
let own: string;
let own_serial: string;

beforeAll(async () => {
  const x509 = new PeculiarX509();
  const terms = { not_before: new Date(), not_after: new Date(Date.now() + DAY_MS) };
  const root = await x509.createRoot({ ...terms, serial: '41', common_name: 'Root' });
  const issuer = await x509.openIssuer(root);
  const issue = (serial: string) =>
    issuer.issueRuntime(newKey().request, { ...terms, serial, common_name: 'a', spiffe_id: 'spiffe://a/b' });
  [theirs, own] = [await issue('42'), await issue('43')];
  own_serial = new X509Certificate(own).serialNumber;
});

async function ask(header: string | string[], remoteAddress = PROXY) {
  const trusted = new BlockList();
  trusted.addSubnet('10.0.0.0', 8, 'ipv4');
  trusted.addSubnet('fd00::', 8, 'ipv6');
  trusted.addSubnet('fe80::', 10, 'ipv6');
  const app = Fastify();
  addClientCertificates(app, trusted);
  app.get('/', ({ headers, clientCertificate }) => ({
    header: headers[HEADER] ?? null,
    serial: clientCertificate?.certificate.serialNumber ?? null,
  }));
  const reply = await app.inject({ path: '/', remoteAddress, headers: { [HEADER]: header } });
  expect(reply.statusCode).toBe(200);
  return reply.json<{ header: string | null; serial: string | null }>();
}

/** As nginx and Envoy write it. */
const encoded = (pem: string) => encodeURIComponent(pem);
const spread = (pem: string) => encoded(pem).replaceAll('%20', ' ').replaceAll('%2F', '/');

describe('from a trusted address', () => {
  it.each([
    ['from nginx', () => encoded(own)],
    ['with minimal escaping', () => spread(own)],
    ['from Envoy', () => `By=spiffe://proxy;${HASH};Cert="${encoded(own)}";URI=spiffe://a/b`],
    ['with only the certificate', () => `Cert=${encoded(own)}`],
    ['with separators in names', () => `${HASH};Subject="CN=\\"a\\",O=b;c";Cert="${encoded(own)}"`],
    ['with empty values', () => `By=;Subject="";Cert="${encoded(own)}";URI=`],
    ['with blanks', () => ` by=a ; cert="${encoded(own)}" ;URI=b`],
    ['with several elements', () => `${HASH};URI=spiffe://a/b,By=x;Cert="${encoded(own)}"`],
    ['on several lines', () => [`${HASH};URI=x`, `Cert="${encoded(own)}"`]],
  ])('accepts a header %s', async (_, header) => {
    expect((await ask(header())).serial).toBe(own_serial);
  });

  it.each([
    ['nothing', () => ''],
    ['no certificate', () => `By=spiffe://proxy;${HASH};URI=spiffe://a/b`],
    ['an empty certificate', () => 'Cert=""'],
    ['text that is no PEM', () => 'Cert="hello"'],
    ['a PEM that is no certificate', () => encoded(own.replace(/^[A-Z].*$/m, 'AAAA'))],
    ['a key', () => encoded(newKey().key)],
    ['PEM that is not encoded in full', () => encoded(own).replace('%0A', '%0')],
    ['an escape that is none', () => 'Cert="%zz"'],
    ['an escape that is no UTF-8', () => 'Cert="%ff"'],
    ['only DER', () => `Cert="${encodeURIComponent(new X509Certificate(own).raw.toString('base64'))}"`],
    ['two certificates', () => encoded(own + theirs)],
    ['two certificates, in lines of their own', () => [encoded(theirs), encoded(own)]],
    ['a kilobyte of quotes', () => '"'.repeat(1024)],
    ['kilobytes of pairs', () => 'a=b;'.repeat(3500)],
    ['kilobytes of backslashes', () => `a="${'\\'.repeat(14_000)}`],
    ['an open quote', () => `Cert="${encoded(own)}`],
    ['a quote in between', () => `Cert=${encoded(own)}"`],
    ['a word', () => 'Cert'],
    ['a separator', () => ','],
  ])('ignores a header with %s', async (_, header) => {
    expect((await ask(header())).serial).toBeNull();
  });

  it.each([
    ['before the proxy’s own element', (cert: string) => `Cert="${cert}",By=proxy;${HASH}`],
    [
      'to which the proxy adds the real one',
      (cert: string) => `Cert="${cert}",By=proxy;Cert="${encoded(own)}"`,
    ],
    [
      'with a quote that swallows what follows',
      (cert: string) => `Cert="${cert}";X=",${HASH};Subject="CN=a"`,
    ],
    ['with an open quote', (cert: string) => `Cert="${cert}";X=",By=proxy;${HASH};URI=spiffe://a/b`],
    [
      'in a name of the caller’s certificate',
      (cert: string) => `${HASH};Cert="${encoded(own)}";URI=x,Cert=${cert}`,
    ],
    ['in a second Cert of the element', (cert: string) => `Cert="${encoded(own)}";URI=x;Cert=${cert}`],
  ])('ignores a forged certificate %s', async (_, header) => {
    expect((await ask(header(encoded(theirs)))).serial).toBeNull();
  });
});

const readBlanks = (length: number) =>
  expect(parseClientCertificate(`Cert=a${' '.repeat(length)}"`)).toBeUndefined();

it('parses a value of blanks in linear time', async () => {
  expect(await growthOf(readBlanks, 8000, 5)).toBeLessThan(LESS_THAN_QUADRATIC);
  expect((await ask(`${HASH};By=a \t;Cert=${encoded(own)} \t ;URI=x`)).serial).toBe(own_serial);
});

describe('addresses', () => {
  it.each(['10.255.0.1', '::ffff:10.0.0.1', 'fd12::1', 'fe80::1%eth0'])('%s is trusted', async (address) => {
    expect(await ask(encoded(own), address)).toEqual({ header: encoded(own), serial: own_serial });
  });

  it.each(['11.0.0.1', '127.0.0.1', '::ffff:11.0.0.1', '::1', 'fec0::1%eth0', ''])(
    '%s is not trusted, and its header is removed',
    async (address) => {
      expect(await ask(encoded(own), address)).toEqual({ header: null, serial: null });
    },
  );
});
