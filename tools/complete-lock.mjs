/**
 * Adds the optional packages of other platforms that npm left out of package-lock.json. npm does that when the registry
 * in use serves the packages of one platform alone (a mirror, for instance), and then `npm ci` refuses the lock file as
 * incomplete. Run after every change of dependencies: `npm run lock`. Another lock file is given by its path.
 */
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

/** What a platform package's name says of where it runs: @scope/name-linux-x64-musl. */
function platformOf(name) {
  const words = name.split('/').at(-1).split(/[-.]/);
  const os = SYSTEMS.filter((system) => words.includes(system));
  const cpu = PROCESSORS.filter((processor) => words.includes(processor));
  const libc = words.includes('musl') ? ['musl'] : words.includes('gnu') ? ['glibc'] : [];
  return { ...(cpu.length > 0 && { cpu }), ...(os.length > 0 && { os }), ...(libc.length > 0 && { libc }) };
}

let added = 0;
for (const [parent, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(optionalDependencies)) {
    const nested = `${parent}/node_modules/${name}`;
    const hoisted = `node_modules/${name}`;
    if (lock.packages[nested] || lock.packages[hoisted]) continue;
    const platform = platformOf(name);
    if (!platform.os && !platform.cpu)
      throw new Error(`${name} of ${parent} is missing and is no platform's package`);
    lock.packages[hoisted] = {
      version: range.replace(/^[\^~v]/, ''),
      ...platform,
      ...(dev && { dev }),
      optional: true,
    };
    added++;
  }
}
const sorted = Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1));
lock.packages = Object.fromEntries(sorted);
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${added} packages added to package-lock.json\n`);
