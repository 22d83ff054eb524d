import { realpathSync } from 'node:fs';
import { Argument, type CommandUnknownOpts, type Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { namesFor } from '../name-completion.ts';
import type { Program } from '../program.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

export function addCompletion(program: Program, cli: Cli): void {
  const { output } = cli;
  program
    .command('completion')
    .description('print a completion script: source <(agentctl completion bash)')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action((shell) => {
      const script = realpathSync(process.argv[1] ?? '');
      output.line(completionScript(shell, [process.execPath, script]).trimEnd());
    });

  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .action(async (words) => {
      for (const word of await candidates(program, cli, words)) output.line(word);
    });
}

/** Empty for a free value, for which shells offer files. */
async function candidates(
  program: CommandUnknownOpts,
  cli: Cli,
  words: readonly string[],
): Promise<string[]> {
  const place = walk(program, words.slice(0, -1));
  const word = words.at(-1) ?? '';
  const all = place.awaited
    ? (place.awaited.argChoices ?? [])
    : possible(place, word.startsWith('-') && !place.isVerbatim);
  const known = all.length > 0 || word.startsWith('-') ? all : await names(cli, place, word);
  return known.filter((each) => startsWith(each, word)).toSorted();
}

/** The server finds hostnames and addresses in any case. */
const startsWith = (name: string, word: string) => name.toLowerCase().startsWith(word.toLowerCase());

function names(cli: Cli, { command, awaited, given, options }: Place, word: string): Promise<string[]> {
  const { registeredArguments } = command;
  const what = awaited?.attributeName() ?? registeredArguments[given.length]?.name() ?? '';
  const at = registeredArguments.findIndex((argument) => argument.name() === 'customer');
  const customer = given[at] ?? options.customer;
  const { url, profile } = options;
  return namesFor(
    what,
    { word, customer },
    { env: cli.env, terminal: cli.terminal, flags: { url, profile } },
  );
}

interface Place {
  readonly command: CommandUnknownOpts;
  readonly awaited: Option | undefined;
  /** Its arguments so far. */
  readonly given: readonly string[];
  readonly options: Readonly<Record<string, string>>;
  /** After --, where nothing is an option. */
  readonly isVerbatim: boolean;
}

function walk(program: CommandUnknownOpts, words: readonly string[]): Place {
  let command = program;
  let awaited: Option | undefined;
  let isVerbatim = false;
  const given: string[] = [];
  const options: Record<string, string> = {};
  for (const word of words) {
    if (awaited) {
      options[awaited.attributeName()] = word;
      awaited = undefined;
    } else if (word === '--' && !isVerbatim) {
      isVerbatim = true;
    } else if (word.startsWith('-') && !isVerbatim) {
      const option = optionsOf(command).find(({ long, short }) => long === word || short === word);
      awaited = option && (option.required || option.optional) ? option : undefined;
    } else {
      const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
      if (next) command = next;
      else given.push(word);
    }
  }
  return { command, awaited, given, options, isVerbatim };
}

function possible({ command, given }: Place, wantsOptions: boolean): readonly string[] {
  if (wantsOptions)
    return optionsOf(command)
      .flatMap(({ long }) => long ?? [])
      .concat('--help');
  const names = command
    .createHelp()
    .visibleCommands(command)
    .map((each) => each.name());
  return names.length > 0 ? names : (command.registeredArguments[given.length]?.argChoices ?? []);
}

function optionsOf(command: CommandUnknownOpts): Option[] {
  const above = command.parent ? optionsOf(command.parent) : [];
  return [...command.options, ...above].filter(({ hidden }) => !hidden);
}

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** @param call starts agentctl from any directory */
function completionScript(shell: Shell, call: readonly string[]): string {
  const complete = `${call.map(quoted).join(' ')} __complete --`;
  return SCRIPTS[shell](complete);
}

const SCRIPTS: Record<Shell, (complete: string) => string> = {
  // By default bash ends a word at the @ of an address. A name with a space is inserted with a backslash.
  bash: (complete) => `COMP_WORDBREAKS="\${COMP_WORDBREAKS//[@:]/}"
_agentctl() {
  local line words=()
  for line in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do words+=("$(_agentctl_unquoted "$line")"); done
  COMPREPLY=()
  while IFS= read -r line; do COMPREPLY+=("$(printf %q "$line")"); done < <(${complete} "\${words[@]}" 2>/dev/null)
}
_agentctl_unquoted() {
  local word=\${1//\\\\/}
  word=\${word#[\\"\\']}
  printf %s "\${word%[\\"\\']}"
}
complete -o default -F _agentctl agentctl
`,
  zsh: (complete) => `#compdef agentctl
_agentctl() {
  local -a found
  found=("\${(@f)$(${complete} "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -a found; else _files; fi
}
compdef _agentctl agentctl
`,
  fish: (complete) => `function __agentctl_complete
  set -l words (commandline -opc) (commandline -ct)
  ${complete} $words[2..] 2>/dev/null
end
complete -c agentctl -a '(__agentctl_complete)'
`,
};
