import { pino } from 'pino';
import { readMigrationConfig } from './config.ts';
import { migrate } from './platform/db/migrate.ts';
import { readSchema } from './platform/db/schema-files.ts';
import { loggerOptions } from './platform/logger.ts';

async function main(): Promise<void> {
  const { database_url, log_level } = readMigrationConfig(process.env);
  if (database_url === undefined)
    throw new Error('DATABASE_URL is required: the start migrates the embedded database by itself');
  const applied = await migrate(
    database_url,
    await readSchema(),
    undefined,
    pino(loggerOptions(log_level), process.stderr),
  );
  process.stdout.write(applied.length === 0 ? 'Nothing to migrate\n' : `Applied: ${applied.join(', ')}\n`);
}

main().catch((error: unknown) => {
  const reason = error instanceof Error && error.message ? error.message : String(error);
  process.stderr.write(`${reason.split('\n', 1)[0]}\n`);
  process.exit(1);
});
