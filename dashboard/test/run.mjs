// Runs the tests of the pages where there is a browser for them.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const CHROMIUM = '/usr/bin/chromium';

if (existsSync(CHROMIUM)) {
  const args = ['vitest', 'run', '--project', 'pages', ...process.argv.slice(2)];
  process.exitCode = spawnSync('npx', args, { stdio: 'inherit' }).status ?? 1;
} else {
  process.stdout.write(
    `The tests of the pages are skipped: they need ${CHROMIUM} (apt-get install chromium).\n`,
  );
  if (process.env.CI) process.exitCode = 1;
}
