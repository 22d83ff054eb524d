import { CommanderError } from '@commander-js/extra-typings';
import { Cli } from './cli.ts';
import { addCommands } from './commands.ts';
import { EXIT } from './errors.ts';
import { explain } from './explain.ts';
import { createProgram } from './program.ts';
import type { Terminal } from './terminal.ts';

/** @param argv with two leading words, as in process.argv. @returns the exit code */
export async function run(
  argv: readonly string[],
  env: Readonly<NodeJS.ProcessEnv>,
  terminal: Terminal,
): Promise<number> {
  const program = createProgram(terminal).exitOverride();
  const cli = new Cli(() => program.opts(), env, terminal);
  try {
    addCommands(program, cli);
    await program.parseAsync(argv);
    return cli.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const { lines, code } = explain(error, cli.target);
    cli.output.failure(lines);
    return code;
  }
}
