/**
 * Processor time of reading hostile signing requests and of encoding revocation lists
 * (docs/decisions/0016-x509-der.md). Needs `npm run build`.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import * as asn from '@peculiar/asn1-x509';
import { bitString, explicit, integer, sequence } from '../server/dist/adapters/x509/der-writer.js';
import { readRequest } from '../server/dist/adapters/x509/request.js';
import { listToBeSigned } from '../server/dist/adapters/x509/revocation-list.js';

const ROUNDS = 7;
const BYTES = 7000;

const bytes = (hex, count) => Buffer.from(hex.repeat(count), 'hex');
const tagged = (tag, content) => Buffer.concat([Buffer.of(tag), sequence(content).subarray(1)]);

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', '/dev/null'];
const good = execFileSync('openssl', ['req', '-new', ...NEW_KEY, '-subj', '/CN=a', '-outform', 'DER'], {
  stdio: ['ignore', 'pipe', 'ignore'],
});
const algorithm = Buffer.from('300a06082a8648ce3d040302', 'hex');
const spkiAt = good.indexOf(Buffer.from('3059301306072a8648ce3d0201', 'hex'));
const spki = good.subarray(spkiAt, spkiAt + 91);

const request = ({
  version = integer('0'),
  subject = sequence(),
  attributes = Buffer.alloc(0),
  by = algorithm,
}) =>
  sequence(
    sequence(version, subject, spki, explicit(0, attributes)),
    by,
    bitString(Buffer.from('3006020101020101', 'hex')),
  );
const attribute = (values) => sequence(Buffer.from('06012a', 'hex'), tagged(0x31, values));
const wrapped = (content, wrap) => Array.from({ length: 90 }).reduce((inner) => wrap(inner), content);

const requests = {
  'an ordinary request': good,
  'a name of empty sets': request({ subject: sequence(bytes('3100', BYTES / 2)) }),
  'a name of one set': request({ subject: sequence(tagged(0x31, bytes('300506012a1300', BYTES / 7))) }),
  'many attributes': request({ attributes: bytes('300506012a3100', BYTES / 7) }),
  'many values': request({ attributes: attribute(bytes('0900', BYTES / 2)) }),
  'nested sequences': request({ attributes: attribute(wrapped(bytes('0500', 3000), sequence)) }),
  'open ends in open ends': sequence(bytes('3080', 1800), bytes('0000', 1800)),
  'a long version': request({ version: tagged(2, bytes('7f', BYTES)) }),
  'an algorithm of many arcs': request({ by: sequence(tagged(6, bytes('01', BYTES))) }),
};

const reason = new asn.Extension({
  extnID: asn.id_ce_cRLReasons,
  extnValue: new OctetString(AsnConvert.serialize(new asn.CRLReason(asn.CRLReasons.superseded))),
});
const name = Buffer.from('3000', 'hex');
const now = new Date();

const byLibrary = (revoked) =>
  AsnConvert.serialize(
    new asn.TBSCertList({
      version: asn.Version.v2,
      signature: AsnConvert.parse(algorithm, asn.AlgorithmIdentifier),
      issuer: AsnConvert.parse(name, asn.Name),
      thisUpdate: new asn.Time(now),
      nextUpdate: new asn.Time(now),
      revokedCertificates: revoked.map(
        ({ serial, revoked_at }) =>
          new asn.RevokedCertificate({
            userCertificate: Uint8Array.from(Buffer.from(serial, 'hex')).buffer,
            revocationDate: new asn.Time(revoked_at),
            crlEntryExtensions: [reason],
          }),
      ),
    }),
  );
const byService = (revoked) =>
  listToBeSigned({
    algorithm,
    issuer: name,
    authority_key_id: Buffer.alloc(32),
    number: 1n,
    revoked,
    this_update: now,
    next_update: now,
  });

async function costOf(work) {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    const rest = work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
    await Promise.resolve(rest).catch(() => {});
  }
  return `${least.toFixed(2)} ms`;
}

for (const [what, der] of Object.entries(requests)) {
  const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
  process.stdout.write(`${what}: ${await costOf(() => readRequest(pem))}\n`);
}
for (const length of [1000, 5000, 20_000]) {
  const revoked = Array.from({ length }, () => ({
    serial: `4${randomBytes(16).toString('hex').slice(1)}`,
    revoked_at: now,
    reason: 'superseded',
  }));
  const [library, service] = [await costOf(() => byLibrary(revoked)), await costOf(() => byService(revoked))];
  process.stdout.write(`a list of ${length}: library ${library}, service ${service}\n`);
}
