import type { ToolCall } from '@agent-control-plane/sdk';
import { Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { saysNo } from '../errors.ts';
import { showList } from '../lists.ts';
import { allOption, pageOption, perPageOption } from '../options.ts';
import type { Program } from '../program.ts';
import type { Column } from '../table.ts';
import { moment } from '../text.ts';

const COLUMNS: readonly Column<ToolCall>[] = [
  ['SEQ', ({ seq }) => seq],
  ['AT', ({ at }) => moment(at)],
  ['TOOL', ({ tool }) => tool, 'flexible'],
  ['DECISION', ({ decision, reason }) => (reason === null ? decision : `${decision}: ${reason}`)],
  ['STATUS', ({ status }) => status],
  ['BY', ({ key_id, user_id }) => (key_id === null ? `user ${user_id}` : `key ${key_id}`)],
  [
    'CLIENT',
    ({ client_name, client_version }) => [client_name, client_version].filter(Boolean).join(' '),
    'flexible',
  ],
];

export function addAudit(program: Program, cli: Cli): void {
  const audit = program.command('audit').description('tool calls over MCP');
  const { output } = cli;

  audit
    .command('list')
    .description('list calls, newest first')
    .option('--tool <name>')
    .addOption(new Option('--decision <decision>').choices(['allowed', 'denied', 'asked'] as const))
    .option('--key <key-id>')
    .option('--from <time>', 'earliest time, e.g. 2026-01-31T00:00:00Z')
    .option('--to <time>', 'latest time')
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async ({ tool, decision, key, from, to, ...flags }) => {
      const query = {
        ...(tool && { tool }),
        ...(decision && { decision }),
        ...(key && { key_id: key }),
        ...(from && { from }),
        ...(to && { to }),
      };
      await showList(cli, await cli.tenant(), 'list_tool_calls', { query }, COLUMNS, flags);
    });

  audit
    .command('verify')
    .description('check that no call was changed, removed or moved; exits with 1 otherwise')
    .action(async () => {
      const found = await (await cli.tenant()).audit.verifyToolCalls();
      const { valid, checked, first_invalid, fault, last_hash } = found;
      output.answer(found, () => {
        if (valid) output.line(`the chain is intact: ${checked} calls, last hash ${last_hash ?? 'none'}`);
      });
      if (!valid)
        throw saysNo(
          `the chain is broken at call ${first_invalid}: ${fault} (${checked} calls before it are intact)`,
        );
    });
}
