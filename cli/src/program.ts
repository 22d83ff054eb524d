import { createRequire } from 'node:module';
import { Command, type CommandUnknownOpts, Help, type Option } from '@commander-js/extra-typings';
import type { Terminal } from './terminal.ts';

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

const EXIT_CODES = `
Exit codes: 0 done, 1 negative result, 2 usage, 3 not authorized, 4 not found, 5 conflict, 6 no answer or server error`;

function optionDescription(this: Help, option: Option): string {
  const description = Help.prototype.optionDescription.call(this, option);
  if (!option.mandatory) return description;
  return description === '' ? 'required' : `${description} (required)`;
}

/** Other words for a command stand in its own help alone. */
function subcommandTerm(this: Help, command: CommandUnknownOpts): string {
  return Help.prototype.subcommandTerm.call(this, command).replace(/^([^\s|]+)\|\S+/, '$1');
}

export const createProgram = ({ stdout, stderr }: Terminal) =>
  new Command('agentctl')
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
    .description('The agent control plane from the command line')
    .option('--url <address>', 'the server (or ACP_URL)')
    .option('--profile <name>', 'a profile of "agentctl login" (or ACP_PROFILE)')
    .option('--json', 'print the API’s answers as JSON')
    .option('-q, --quiet', 'print no notes and no progress')
    .version(version)
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false, optionDescription, subcommandTerm })
    .showHelpAfterError('(--help shows the usage)')
    .addHelpText('after', EXIT_CODES);

export type Program = ReturnType<typeof createProgram>;
/** A command that only groups other commands. */
export type Noun = ReturnType<typeof nounOf>;
const nounOf = (program: Program) => program.command('noun');
