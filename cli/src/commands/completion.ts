import { realpathSync } from 'node:fs';
import { Argument } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { candidates, completionScript, SHELLS } from '../completion.ts';
import type { Program } from '../program.ts';

export function addCompletion(program: Program, { output }: Cli): void {
  program
    .command('completion')
    .description('print a script that completes agentctl’s words: source <(agentctl completion bash)')
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
