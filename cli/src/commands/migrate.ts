import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Cli } from '../cli.ts';
import { CliError, EXIT } from '../errors.ts';
import type { Program } from '../program.ts';

/** Exists where server and CLI are installed together. */
const MIGRATE = fileURLToPath(new URL('../../../server/dist/migrate-only.js', import.meta.url));

export function addMigrate(program: Program, cli: Cli): void {
  program
    .command('migrate')
    .description('bring the database of DATABASE_URL to the schema of the server that is installed here')
    .action(async () => {
      if (!existsSync(MIGRATE))
        throw new CliError(
          EXIT.usage,
          'the server is not installed here',
          'run it where the server is, once it is built',
        );
      const child = spawn(process.execPath, [MIGRATE], { env: { ...cli.env }, stdio: 'inherit' });
      const [code] = (await once(child, 'exit')) as [number | null];
      cli.exitCode = code === 0 ? EXIT.ok : 1;
    });
}
