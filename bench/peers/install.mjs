/** Installs the peers that come from npm, each by its own lock file: npm run peers -w bench. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

for (const name of readdirSync(import.meta.dirname)) {
  const cwd = join(import.meta.dirname, name);
  if (!existsSync(join(cwd, 'package-lock.json'))) continue;
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd, stdio: 'inherit' });
  if (!existsSync(join(cwd, 'prisma.config.js'))) continue;
  // Generating the client needs no schema engine; without this Prisma would fetch one from a server of its own.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true' };
  execFileSync('npx', ['prisma', 'generate'], { cwd, env, stdio: 'inherit' });
}
