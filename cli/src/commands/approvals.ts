import type { Approval } from '@agent-control-plane/sdk';
import { Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { findCustomerId, findInstanceId } from '../finding.ts';
import { showList } from '../lists.ts';
import { allOption, idArgument, pageOption, perPageOption } from '../options.ts';
import type { Program } from '../program.ts';
import type { Column } from '../table.ts';
import { moment } from '../text.ts';

const STATUSES = ['waiting', 'approved', 'rejected', 'expired', 'failed'] as const;

const COLUMNS: readonly Column<Approval>[] = [
  ['ID', ({ id }) => id],
  ['STATUS', ({ status }) => status],
  ['INSTANCE', ({ hostname }) => hostname, 'flexible'],
  ['CUSTOMER', ({ customer_name, customer_id }) => customer_name ?? customer_id, 'flexible'],
  ['TOOL', ({ tool }) => tool],
  ['ARGUMENTS', ({ arguments: given }) => given && JSON.stringify(given), 'flexible'],
  ['REQUESTED', ({ requested_at }) => moment(requested_at)],
  ['EXPIRES', ({ expires_at }) => moment(expires_at)],
  ['BY', ({ decided_by: by }) => by && (by.name ?? by.id), 'flexible'],
  ['COMMENT', ({ comment }) => comment, 'flexible'],
];

const approvalArgument = () => idArgument('<approval-id>', 'the id');

export function addApprovals(program: Program, cli: Cli): void {
  const approvals = program.command('approvals').description('calls of tools that wait for a person');
  const { output } = cli;

  approvals
    .command('list')
    .description('list calls, newest first; with --soonest those that expire first')
    .addOption(new Option('--status <status>').choices(STATUSES))
    .option('--instance <instance>', 'id or hostname')
    .option('--customer <customer>', 'id, e-mail address or company name')
    .option('--soonest', 'what expires first comes first')
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async ({ status, instance, customer, soonest, ...flags }) => {
      const acp = await cli.tenant();
      const instance_id = instance && (await findInstanceId(acp, instance));
      const customer_id = customer && (await findCustomerId(acp, customer));
      const sort_by = soonest ? ('expires_at' as const) : undefined;
      const query = { status, instance_id, customer_id, sort_by };
      await showList(cli, acp, 'list_approvals', { query }, COLUMNS, flags);
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
