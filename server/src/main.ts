import { ConfigError, readConfig } from './config.ts';
import { type Started, start } from './start.ts';

const STOP_WITHIN_MS = 9500;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function welcome({ base_url, credentials_path }: Started): void {
  say(`\nThe agent control plane is ready at ${base_url}\n`);
  if (credentials_path) say(`  credentials   ${credentials_path}`);
  say(`  API docs      ${base_url}/docs`);
  say(`  try next      npm run demo   (in a second terminal)\n`);
}

async function main(): Promise<void> {
  const started = await start(readConfig(process.env));
  let stopping = false;
  const stop = (exitCode: number) => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(exitCode), STOP_WITHIN_MS).unref();
    started.stop().then(
      () => process.exit(exitCode),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => stop(0));
  process.on('SIGINT', () => stop(0));
  void started.failed.then((reason) => {
    process.stderr.write(`The embedded database ended: ${reason}\n`);
    stop(1);
  });
  welcome(started);
}

main().catch((error: unknown) => {
  // What a person can mend is told in one line; what nobody expected keeps its stack.
  const expected = error instanceof ConfigError || (error instanceof Error && error.name !== 'TypeError');
  process.stderr.write(`${expected ? (error as Error).message : (error as Error).stack}\n`);
  process.exit(1);
});
