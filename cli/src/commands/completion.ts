import { realpathSync } from 'node:fs';
import { Argument, type CommandUnknownOpts, type Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import type { Program } from '../program.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

export function addCompletion(program: Program, { output }: Cli): void {
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
    .action((words) => {
      for (const word of candidates(program, words)) output.line(word);
    });
}

/** Empty for a free value, for which shells offer files. */
function candidates(program: CommandUnknownOpts, words: readonly string[]): string[] {
  const { command, awaited, isVerbatim } = walk(program, words.slice(0, -1));
  const word = words.at(-1) ?? '';
  const all = awaited ? (awaited.argChoices ?? []) : possible(command, word.startsWith('-') && !isVerbatim);
  return all.filter((each) => each.startsWith(word)).toSorted();
}

interface Place {
  readonly command: CommandUnknownOpts;
  readonly awaited: Option | undefined;
  /** After --, where nothing is an option. */
  readonly isVerbatim: boolean;
}

function walk(program: CommandUnknownOpts, words: readonly string[]): Place {
  let command = program;
  let awaited: Option | undefined;
  for (const word of words) {
    if (word === '--') return { command, awaited: undefined, isVerbatim: true };
    if (awaited) {
      awaited = undefined;
    } else if (word.startsWith('-')) {
      const option = optionsOf(command).find(({ long, short }) => long === word || short === word);
      awaited = option && (option.required || option.optional) ? option : undefined;
    } else {
      command = command.commands.find((each) => each.name() === word) ?? command;
    }
  }
  return { command, awaited, isVerbatim: false };
}

function possible(command: CommandUnknownOpts, wantsOptions: boolean): readonly string[] {
  if (wantsOptions)
    return optionsOf(command)
      .flatMap(({ long }) => long ?? [])
      .concat('--help');
  const names = command
    .createHelp()
    .visibleCommands(command)
    .map((each) => each.name());
  return names.length > 0 ? names : command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
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
  bash: (complete) => `_agentctl() {
  local IFS=$'\\n'
  COMPREPLY=($(${complete} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _agentctl agentctl
`,
  zsh: (complete) => `#compdef agentctl
_agentctl() {
  local -a found
  found=("\${(@f)$(${complete} "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
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
