import { CommanderError } from '@commander-js/extra-typings';
import { Cli } from './cli.ts';
import { addCommands } from './commands.ts';
import { EXIT } from './errors.ts';
import { explain } from './explain.ts';
import { createProgram } from './program.ts';

/** Handles a closed pipe (`agentctl … | head`) and a full disk. */
function endWhenNotWritten(stream: NodeJS.WriteStream): void {
  stream.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit();
    if (stream === process.stdout)
      process.stderr.write(`error: standard output cannot be written (${code})\n`);
    process.exit(EXIT.usage);
  });
}

async function main(): Promise<void> {
  const program = createProgram().exitOverride();
  const cli = new Cli(() => program.opts(), process.env);
  try {
    addCommands(program, cli);
    await program.parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
      return;
    }
    const { lines, code } = explain(error, cli.asked);
    cli.output.failure(lines);
    process.exitCode = code;
  }
}

endWhenNotWritten(process.stdout);
endWhenNotWritten(process.stderr);
process.on('SIGINT', () => process.exit(EXIT.interrupted));
process.on('SIGTERM', () => process.exit(EXIT.terminated));
await main();
