import { createHash, createPublicKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bitString, explicit, integer, sequence } from '../../src/adapters/x509/der-writer.ts';
import { PeculiarX509 } from '../../src/adapters/x509/peculiar-x509.ts';
import { ServiceError } from '../../src/platform/errors.ts';
import { type KeyName, OpenSsl } from '../support/openssl.ts';

const x509 = new PeculiarX509();
let openssl: OpenSsl;
let good: string;
beforeAll(async () => {
  openssl = await OpenSsl.open();
  good = await openssl.request(await openssl.key('P-256'));
});
afterAll(() => openssl.close());

const derOf = (pem: string) => Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
const pemOf = (der: Uint8Array, label = 'CERTIFICATE REQUEST') =>
  `-----BEGIN ${label}-----\n${Buffer.from(der).toString('base64')}\n-----END ${label}-----\n`;

/** The offset of a P-256 key's point: after the header of the BIT STRING. */
const pointAt = (der: Buffer) => der.indexOf(Buffer.from('034200', 'hex')) + 3;

const ecdsaWithSha256 = Buffer.from('300a06082a8648ce3d040302', 'hex');
const noSignature = bitString(Buffer.from('3006020101020101', 'hex'));

/** An unsigned request. */
const withKey = (spki: Buffer) => {
  const information = sequence(integer('0'), sequence(), spki, explicit(0, Buffer.alloc(0)));
  return pemOf(sequence(information, ecdsaWithSha256, noSignature));
};

async function refusal(csr_pem: string): Promise<string> {
  const error = await x509.readRequest(csr_pem).then(
    () => expect.unreachable('The request was accepted'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({
    code: 'bad_request',
    message: expect.stringMatching(/^The CSR is not valid: /),
  });
  return (error as Error).message;
}

describe('a request is accepted', () => {
  it.each<KeyName>(['P-256', 'P-384', 'Ed25519', 'RSA-2048'])('of a key %s', async (name) => {
    const key = await openssl.key(name);
    const { public_key_spki, public_key_sha256 } = await x509.readRequest(await openssl.request(key));
    const spki = createPublicKey(await openssl.text('pkey', '-in', key, '-pubout')).export({
      type: 'spki',
      format: 'der',
    });
    expect(public_key_spki).toEqual(spki);
    expect(public_key_sha256).toEqual(createHash('sha256').update(spki).digest());
  });

  it('with any digest of today, and RSA-PSS', async () => {
    const rsa = await openssl.key('RSA-2048');
    const ec = await openssl.key('P-256');
    for (const csr of [
      await openssl.request(ec, '-sha384'),
      await openssl.request(rsa, '-sha512'),
      await openssl.request(rsa, '-sigopt', 'rsa_padding_mode:pss'),
    ]) {
      await expect(x509.readRequest(csr)).resolves.toBeDefined();
    }
  });

  it('of a key whose point is compressed', async () => {
    const key = await openssl.file('');
    await openssl.text('ec', '-in', await openssl.key('P-256'), '-conv_form', 'compressed', '-out', key);
    const { public_key_spki } = await x509.readRequest(await openssl.request(key));
    expect(public_key_spki.length).toBe(59);
  });

  it('with other line ends, surrounding space or Java’s label', async () => {
    for (const csr of [
      good.replaceAll('\n', '\r\n'),
      `\n  ${good}\n\n`,
      pemOf(derOf(good), 'NEW CERTIFICATE REQUEST'),
    ]) {
      await expect(x509.readRequest(csr)).resolves.toBeDefined();
    }
  });

  it('with text or a block of another kind around it', async () => {
    const inWords = await openssl.text('req', '-in', await openssl.file(good), '-text');
    const curve = await openssl.text('ecparam', '-name', 'prime256v1');
    for (const csr of [
      inWords,
      `Bag Attributes\n    friendlyName: crew\n${good}`,
      `${good}Bag Attributes\n-- \nSent from my desk`,
      `${curve}${good}`,
    ]) {
      await expect(x509.readRequest(csr)).resolves.toBeDefined();
    }
  });
});

describe('a request is refused', () => {
  it.each<KeyName>(['RSA-1024', 'RSA-2048 with exponent 3', 'secp256k1', 'P-521', 'Ed448'])(
    'of a key %s',
    async (name) => {
      expect(await refusal(await openssl.request(await openssl.key(name)))).toContain('key has to be P-256');
    },
  );

  it('of a point at infinity', async () => {
    for (const curve of ['06082a8648ce3d030107', '06052b81040022']) {
      const algorithm = sequence(Buffer.from('06072a8648ce3d0201', 'hex'), Buffer.from(curve, 'hex'));
      const csr = withKey(sequence(algorithm, bitString(Buffer.of(0))));
      expect(await refusal(csr)).toContain('key has to be P-256');
    }
  });

  it.each(['P-256', 'P-384'])('of a key on %s with explicit curve parameters', async (curve) => {
    const key = await openssl.file('');
    const options = [`ec_paramgen_curve:${curve}`, 'ec_param_enc:explicit'];
    const pkeyopts = options.flatMap((option) => ['-pkeyopt', option]);
    await openssl.text('genpkey', '-algorithm', 'EC', ...pkeyopts, '-out', key);
    expect(await refusal(await openssl.request(key))).toContain('key has to be P-256');
  });

  it('of a point in hybrid form', async () => {
    const der = derOf(good);
    const at = pointAt(der);
    der.writeUInt8(6 + (der.readUInt8(at + 64) & 1), at);
    expect(await refusal(pemOf(der))).toContain('key has to be P-256');
  });

  it('of a DSA key', async () => {
    const key = await openssl.file('');
    await openssl.text('dsaparam', '-genkey', '-out', key, '1024');
    expect(await refusal(await openssl.request(key))).toContain('key has to be P-256');
  });

  it.each(['-sha1', '-md5'])('signed with %s', async (digest) => {
    const csr = await openssl.request(await openssl.key('RSA-2048'), digest);
    expect(await refusal(csr)).toContain('signed with SHA-256');
  });

  it('with a bit of its signature or of its subject flipped', async () => {
    for (const place of [-1, derOf(good).indexOf('whoever')]) {
      const der = derOf(good);
      const at = (der.length + place) % der.length;
      der.writeUInt8(der.readUInt8(at) ^ 1, at);
      expect(await refusal(pemOf(der))).toContain('signature is not that of its key');
    }
  });

  it('signed with another key', async () => {
    const other = derOf(await openssl.request(await openssl.key('P-256')));
    const der = derOf(good);
    other.copy(der, pointAt(der), pointAt(other), pointAt(other) + 65);
    expect(await refusal(pemOf(der))).toContain('signature is not that of its key');
  });

  it.each([
    ['RSA', '300d06092a864886f70d01010b0500'],
    ['Ed25519', '300506032b6570'],
  ])('of a P-256 key that claims a signature with %s', async (_name, claimed) => {
    const der = derOf(good);
    const at = der.indexOf(ecdsaWithSha256);
    const after = at + ecdsaWithSha256.length;
    const parts = [der.subarray(3, at), Buffer.from(claimed, 'hex'), der.subarray(after)];
    expect(await refusal(pemOf(sequence(...parts)))).toContain('signature is not that of its key');
  });

  it('with an RSA-PSS salt of another length than claimed', async () => {
    const pss = ['-sigopt', 'rsa_padding_mode:pss', '-sigopt', 'rsa_pss_saltlen:32'];
    const der = derOf(await openssl.request(await openssl.key('RSA-2048'), ...pss));
    await expect(x509.readRequest(pemOf(der))).resolves.toBeDefined();
    const salt = Buffer.from('a203020120', 'hex');
    der.writeUInt8(31, der.indexOf(salt) + salt.length - 1);
    expect(await refusal(pemOf(der))).toContain('signature is not that of its key');
  });

  it('with an invalid RSA-PSS salt length', async () => {
    const pss = ['-sigopt', 'rsa_padding_mode:pss', '-sigopt', 'rsa_pss_saltlen:32'];
    const der = derOf(await openssl.request(await openssl.key('RSA-2048'), ...pss));
    const at = der.lastIndexOf(Buffer.from('06092a864886f70d01010a', 'hex'));
    const information = der.subarray(4, 8 + der.readUInt16BE(6));
    const signature = der.subarray(-261);
    const [hash, mask] = [der.subarray(at + 13, at + 30), der.subarray(at + 30, at + 60)];
    for (const [salt, why] of [
      ['20', undefined],
      // For OpenSSL -2 is "any length" and -1 "that of the digest".
      ['fe', 'has to be signed with'],
      ['ff', 'has to be signed with'],
      ['0080000000', 'has to be signed with'],
      ['7f'.repeat(40), 'has to be signed with'],
    ] as const) {
      const octets = Buffer.from(salt, 'hex');
      const length = explicit(2, Buffer.concat([Buffer.of(0x02, octets.length), octets]));
      const algorithm = sequence(der.subarray(at, at + 11), sequence(hash, mask, length));
      const csr = pemOf(sequence(information, algorithm, signature));
      if (why) expect(await refusal(csr), salt).toContain(why);
      else await expect(x509.readRequest(csr)).resolves.toBeDefined();
    }
  });

  it('that is not a single PEM block of a request', async () => {
    const texts = [
      '',
      'x'.repeat(90),
      'x'.repeat(20_000),
      `${good}${good}`,
      pemOf(derOf(good), 'CERTIFICATE'),
      pemOf(Buffer.alloc(20_000)),
      `-----BEGIN CERTIFICATE REQUEST-----${' '.repeat(9000)}`,
      `-----BEGIN CERTIFICATE REQUEST-----\n\n-----END CERTIFICATE REQUEST-----`,
      derOf(good).toString('latin1'),
    ];
    for (const text of texts) expect(await refusal(text)).toContain('one PEM block');
  });

  it('with a private key, which is not quoted', async () => {
    const file = await openssl.key('P-256');
    const key = await readFile(file, 'utf8');
    const words = await openssl.text('pkey', '-in', file, '-text', '-noout');
    for (const text of [`${key}${good}`, `${good}${key}`, `${words}${good}`]) {
      const why = await refusal(text);
      expect(why).toContain('a private key came with it');
      for (const line of text.split('\n').filter(({ length }) => length > 20))
        expect(why).not.toContain(line);
    }
  });

  it('with something after it in the same block', async () => {
    expect(await refusal(pemOf(Buffer.concat([derOf(good), Buffer.of(0x05, 0)])))).toContain(
      'cannot be read',
    );
  });

  it('that contains something else', async () => {
    const key = await openssl.key('P-256');
    const certificate = await openssl.text('req', '-x509', '-new', '-key', key, '-subj', '/CN=x');
    for (const der of [
      derOf(certificate),
      Buffer.from('junk'),
      Buffer.alloc(90),
      derOf(good).subarray(0, -9),
    ]) {
      expect(await refusal(pemOf(der))).toContain('cannot be read');
    }
  });
});

const repeated = (hex: string, count: number) => Buffer.from(hex.repeat(count), 'hex');

/** CPU time until reading yields to the event loop. */
const processorTimeOf = (csr: string) => {
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    x509.readRequest(csr).catch(() => {});
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.min(...times);
};

it('a hostile request takes at most as long as a few valid ones', async () => {
  const der = derOf(good);
  const spkiAt = der.indexOf(Buffer.from('3059301306072a8648ce3d0201', 'hex'));
  const spki = der.subarray(spkiAt, spkiAt + 91);
  const bomb = (version: Buffer, subject: Buffer, algorithm: Buffer) =>
    sequence(sequence(version, subject, spki, explicit(0, Buffer.alloc(0))), algorithm, noSignature);
  const names = (count: number) => sequence(repeated('3100', count));
  const longVersion = Buffer.concat([Buffer.from('02821b58', 'hex'), repeated('7f', 7000)]);
  const manyArcs = Buffer.concat([Buffer.from('06821b58', 'hex'), repeated('01', 7000)]);
  const hostile = [
    // Nested BER elements of indefinite length.
    sequence(Buffer.concat([repeated('3080', 1800), Buffer.alloc(3600)]), ecdsaWithSha256, noSignature),
    bomb(integer('0'), names(3000), ecdsaWithSha256),
    // Just within the limit of nodes.
    bomb(integer('0'), names(950), ecdsaWithSha256),
    bomb(longVersion, names(0), ecdsaWithSha256),
    bomb(integer('0'), names(0), sequence(manyArcs)),
  ].map((bytes) => pemOf(bytes));
  for (const csr of hostile) await expect(x509.readRequest(csr)).rejects.toThrow('The CSR is not valid');
  expect(Math.max(...hostile.map(processorTimeOf))).toBeLessThan(20 * processorTimeOf(good));
});

it('any bytes are accepted or refused without another error', async () => {
  const seeds = [
    good,
    await openssl.request(await openssl.key('RSA-2048')),
    await openssl.request(await openssl.key('Ed25519')),
  ].map(derOf);
  const mutated = fc
    .tuple(
      fc.constantFrom(...seeds),
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 4 }),
      fc.option(fc.nat()),
    )
    .map(([seed, changes, cut]) => {
      const der = Buffer.from(seed);
      for (const [at, value] of changes) der[at % der.length] = value;
      return pemOf(cut === null ? der : der.subarray(0, cut % der.length));
    });
  const anything = fc.oneof(
    { weight: 8, arbitrary: mutated },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((der) => pemOf(der)) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
  );
  await fc.assert(
    fc.asyncProperty(anything, async (csr_pem) => {
      const outcome = await x509.readRequest(csr_pem).catch((error: unknown) => error);
      if (outcome instanceof Error) {
        expect(outcome).toBeInstanceOf(ServiceError);
        expect(outcome).toMatchObject({ code: 'bad_request' });
      }
    }),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 1500), seed: Number(process.env.FUZZ_SEED ?? 20_260_131) },
  );
});
