/**
 * npm drops the optional packages of other platforms when the registry in use does not serve them, and then `npm ci`
 * refuses the lock file. This adds those entries and missing checksums, or fails. Argument: another lock file.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const path = process.argv[2] ?? new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(path, 'utf8'));

const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const PROCESSORS = [
  'arm64',
  'arm',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
];

/** From a package name such as @scope/name-linux-x64-musl. */
function platformOf(name) {
  const words = name.split('/').at(-1).split(/[-.]/);
  const os = SYSTEMS.filter((system) => words.includes(system));
  const cpu = PROCESSORS.filter((processor) => words.includes(processor));
  const libc = words.includes('musl') ? ['musl'] : words.includes('gnu') ? ['glibc'] : [];
  return { ...(cpu.length > 0 && { cpu }), ...(os.length > 0 && { os }), ...(libc.length > 0 && { libc }) };
}

function addMissingPlatforms() {
  let added = 0;
  for (const [parent, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
    for (const [name, range] of Object.entries(optionalDependencies)) {
      const nested = `${parent}/node_modules/${name}`;
      const hoisted = `node_modules/${name}`;
      if (lock.packages[nested] || lock.packages[hoisted]) continue;
      const platform = platformOf(name);
      if (!platform.os && !platform.cpu)
        throw new Error(`${name} of ${parent} is missing and is not a platform's package`);
      lock.packages[hoisted] = {
        version: range.replace(/^[\^~v]/, ''),
        ...platform,
        ...(dev && { dev }),
        optional: true,
      };
      added++;
    }
  }
  return added;
}

function integrityOf(spec) {
  try {
    const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    return execFileSync('npm', ['view', spec, 'dist.integrity'], options).trim() || undefined;
  } catch {
    return undefined;
  }
}

function addChecksums() {
  const without = [];
  for (const [place, entry] of Object.entries(lock.packages)) {
    if (!place.includes('node_modules/') || entry.link || entry.integrity) continue;
    const spec = `${place.split('node_modules/').at(-1)}@${entry.version}`;
    const integrity = integrityOf(spec);
    if (integrity) {
      const { version, ...rest } = entry;
      lock.packages[place] = { version, integrity, ...rest };
    } else {
      without.push(spec);
    }
  }
  return without;
}

const added = addMissingPlatforms();
const without = addChecksums();
const sorted = Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1));
lock.packages = Object.fromEntries(sorted);
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${added} packages added to package-lock.json\n`);
if (without.length > 0) {
  process.stderr.write(`No checksum for ${without.join(', ')}: choose a version that the registry serves\n`);
  process.exitCode = 1;
}
