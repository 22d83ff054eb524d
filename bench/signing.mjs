/**
 * Signs certificates without a database or network. Arguments: `library` or `service`, the request's file,
 * concurrency, seconds. Prints {"count","seconds","cpu_ms"}.
 */
import { createHash, randomBytes, webcrypto } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { x509 } from '../server/dist/adapters/x509/library.js';
import { PeculiarX509 } from '../server/dist/adapters/x509/peculiar-x509.js';

const WARM_UP_MS = 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
const [by, path, atATime, seconds] = process.argv.slice(2);
const csr_pem = await readFile(path, 'utf8');
const common_name = '00000000-0000-4000-8000-000000000000';
const spiffe_id = `spiffe://agents.internal/instance/${common_name}`;

const terms = () => ({
  serial: `4${randomBytes(16).toString('hex').slice(1)}`,
  not_before: new Date(),
  not_after: new Date(Date.now() + DAY_MS),
});
const peculiar = new PeculiarX509();
const key = await peculiar.createRoot({ ...terms(), common_name: 'Root' });
const issuing = await (await peculiar.openIssuer(key)).issueAuthority({
  ...terms(),
  common_name: 'Issuing',
});

/**
 * The shortest way with the library alone. Counted per certificate: parsing and verifying the request, encoding the
 * names, building, signing, parsing and PEM. Not counted: what one key of the authority needs once.
 */
async function byLibrary() {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const pem = issuing.private_key_pem.replaceAll(/-----[^-]+-----|\s/g, '');
  const pkcs8 = Buffer.from(pem, 'base64');
  const signingKey = await webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']);
  const issuer = new x509.X509Certificate(issuing.cert_pem);
  const always = [
    new x509.BasicConstraintsExtension(false, undefined, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]),
    await x509.AuthorityKeyIdentifierExtension.create(issuer),
  ];
  return async () => {
    const csr = new x509.Pkcs10CertificateRequest(csr_pem);
    if (!(await csr.verify())) throw new Error('The request is not signed by its key');
    const { serial, not_before, not_after } = terms();
    const key_id = createHash('sha256').update(Buffer.from(csr.publicKey.rawData)).digest('hex');
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: serial,
      subject: [{ CN: [common_name] }],
      issuer: issuer.subjectName,
      notBefore: not_before,
      notAfter: not_after,
      publicKey: csr.publicKey,
      signingKey,
      signingAlgorithm: algorithm,
      extensions: [
        ...always,
        new x509.SubjectAlternativeNameExtension([{ type: 'url', value: spiffe_id }]),
        new x509.SubjectKeyIdentifierExtension(key_id),
      ],
    });
    return certificate.toString('pem');
  };
}

async function byService() {
  const issuer = await peculiar.openIssuer(issuing);
  return async () =>
    issuer.issueClient(await peculiar.readRequest(csr_pem), { ...terms(), common_name, spiffe_id });
}

const issue = await { library: byLibrary, service: byService }[by]();

async function issueFor(ms) {
  const until = performance.now() + ms;
  let count = 0;
  const one = async () => {
    for (; performance.now() < until; count++) await issue();
  };
  await Promise.all(Array.from({ length: Number(atATime) }, one));
  return count;
}

await issueFor(WARM_UP_MS);
const [began, cpu] = [performance.now(), process.cpuUsage()];
const count = await issueFor(Number(seconds) * 1000);
const { user, system } = process.cpuUsage(cpu);
const result = { count, seconds: (performance.now() - began) / 1000, cpu_ms: (user + system) / 1000 };
process.stdout.write(`${JSON.stringify(result)}\n`);
