import type { LogLine } from '@agent-control-plane/sdk';
import type { Cli } from '../cli.ts';
import { findInstanceId } from '../finding.ts';
import { instanceArgument, wholeNumber } from '../options.ts';
import type { Program } from '../program.ts';
import { moment, printable } from '../text.ts';

const MAX_LINES = 1000;

/** A line of the built-in runtime is JSON for programs; as `warn llm_failed status=401` a person can read it. */
function readable(line: string): string {
  if (!line.startsWith('{')) return line;
  try {
    const { at, level, event, ...fields } = JSON.parse(line) as Record<string, unknown>;
    if (typeof at !== 'string' || typeof level !== 'string' || typeof event !== 'string') return line;
    const named = Object.entries(fields).map(([name, value]) => `${name}=${asWord(value)}`);
    return [level, event, ...named].join(' ');
  } catch {
    return line;
  }
}

const asWord = (value: unknown) =>
  typeof value === 'string' && /^[\w.:@/+-]+$/.test(value) ? value : JSON.stringify(value);

export function addLogs(program: Program, cli: Cli): void {
  const { output } = cli;
  const show = (line: LogLine) =>
    output.each(line, () =>
      output.line(`${output.style('dim', moment(line.at))}  ${printable(readable(line.line))}`),
    );

  program
    .command('logs')
    .description('print what an instance’s runtime said, of the last day; with --json one line each')
    .addArgument(instanceArgument())
    .option('-f, --follow', 'keep printing new lines')
    .option('--tail <number>', 'begin with only the last lines', wholeNumber(1, MAX_LINES), MAX_LINES)
    .action(async (wanted, { follow, tail }) => {
      const acp = await cli.tenant();
      const id = await findInstanceId(acp, wanted);
      if (follow) for await (const line of acp.instances.logs(id, { tail })) show(line);
      else for (const line of (await acp.instances.listLogs(id, { tail })).items) show(line);
    });
}
