import type { Approval } from '@agent-control-plane/sdk';
import { Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { findInstanceId } from '../finding.ts';
import { showList } from '../lists.ts';
import { allOption, idArgument, pageOption, perPageOption } from '../options.ts';
import type { Program } from '../program.ts';
import type { Column } from '../table.ts';
import { moment } from '../text.ts';

const STATUSES = ['waiting', 'approved', 'rejected', 'expired', 'failed'] as const;

const COLUMNS: readonly Column<Approval>[] = [
  ['ID', ({ id }) => id],
  ['STATUS', ({ status }) => status],
  ['TOOL', ({ tool }) => tool],
  ['ARGUMENTS', ({ arguments: given }) => given && JSON.stringify(given), 'flexible'],
  ['REQUESTED', ({ requested_at }) => moment(requested_at)],
  ['EXPIRES', ({ expires_at }) => moment(expires_at)],
  ['COMMENT', ({ comment }) => comment, 'flexible'],
];

const approvalArgument = () => idArgument('<approval-id>', 'the id');

export function addApprovals(program: Program, cli: Cli): void {
  const approvals = program.command('approvals').description('calls of tools that wait for a person');
  const { output } = cli;

  approvals
    .command('list')
    .description('list calls, newest first')
    .addOption(new Option('--status <status>').choices(STATUSES))
    .option('--instance <instance>', 'id or hostname')
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async ({ status, instance, ...flags }) => {
      const acp = await cli.tenant();
      const instance_id = instance && (await findInstanceId(acp, instance));
      await showList(cli, acp, 'list_approvals', { query: { status, instance_id } }, COLUMNS, flags);
    });

  approvals
    .command('show')
    .description('show a call with its arguments and, once it was made, its result')
    .addArgument(approvalArgument())
    .action(async (id) => {
      const approval = await (await cli.tenant()).approvals.get(id);
      output.answer(approval, () => output.details(approval));
    });

  for (const [decision, description] of [
    ['approve', 'have a call made, once and at once; the agent is told its result'],
    ['reject', 'have a call not made; the agent is told'],
  ] as const) {
    approvals
      .command(decision)
      .description(description)
      .addArgument(approvalArgument())
      .option('--comment <text>', 'for the agent')
      .action(async (id, { comment }) => {
        const decided = await (await cli.tenant()).approvals.decide(id, { decision, comment });
        output.answer(decided, () => output.line(`${decided.tool} is ${decided.status}`));
        if (decision === 'approve' && decided.result === null)
          output.note(`"agentctl approvals show ${id}" shows the result, once there is one`);
      });
  }
}
