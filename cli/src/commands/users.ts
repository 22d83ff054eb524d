import type { OpenInvitation, User } from '@agent-control-plane/sdk';
import { Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { findInvitation } from '../finding.ts';
import { showList } from '../lists.ts';
import { allOption, idArgument, pageOption, perPageOption } from '../options.ts';
import type { Program } from '../program.ts';
import type { Column } from '../table.ts';
import { moment } from '../text.ts';

const COLUMNS: readonly Column<User>[] = [
  ['ID', ({ id }) => id],
  ['E-MAIL', ({ email }) => email, 'flexible'],
  ['ROLE', ({ role }) => role],
  ['SINCE', ({ created_at }) => moment(created_at)],
  ['LAST SIGN-IN', ({ last_signed_in_at: at }) => at && moment(at)],
];

const INVITATION_COLUMNS: readonly Column<OpenInvitation>[] = [
  ['ID', ({ id }) => id],
  ['E-MAIL', ({ email }) => email, 'flexible'],
  ['ROLE', ({ role }) => role],
  ['BY', ({ created_by: by }) => by && (by.name ?? by.id ?? 'the operator'), 'flexible'],
  ['UNTIL', ({ expires_at }) => moment(expires_at)],
];

export function addUsers(program: Program, cli: Cli): void {
  const users = program.command('users').description('who may sign in to the tenant');
  const { output } = cli;

  users
    .command('list')
    .description('list users, newest first')
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async (flags) => showList(cli, await cli.tenant(), 'list_users', {}, COLUMNS, flags));

  users
    .command('invite')
    .description('invite a person; the token is shown once')
    .argument('<e-mail>')
    .addOption(new Option('--role <role>').choices(['member', 'admin'] as const).default('member' as const))
    .action(async (email, { role }) => {
      const made = await (await cli.tenant()).users.createInvitation({ email, role });
      output.note(`invitation of ${email}, valid until ${moment(made.expires_at)}, shown once:`);
      output.answer(made, () => output.line(made.invitation_token));
    });

  users
    .command('invitations')
    .description('list invitations that nobody has accepted yet')
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async (flags) =>
      showList(cli, await cli.tenant(), 'list_invitations', {}, INVITATION_COLUMNS, flags),
    );

  users
    .command('uninvite')
    .description('take an invitation back: its token opens nothing any more')
    .addArgument(idArgument('<invitation>', 'its id, or the e-mail address'))
    .action(async (wanted) => {
      const acp = await cli.tenant();
      const { id } = await findInvitation(acp, wanted);
      await acp.users.deleteInvitation(id);
      output.note(`took the invitation of ${wanted} back`);
    });

  users
    .command('reset-password')
    .description('let a user choose a new password; the token is shown once')
    .addArgument(idArgument('<user-id>', 'the id'))
    .action(async (id) => {
      const made = await (await cli.tenant()).users.createPasswordReset(id);
      output.note(`reset token of user ${id}, valid until ${moment(made.expires_at)}, shown once:`);
      output.answer(made, () => output.line(made.reset_token));
    });

  users
    .command('delete')
    .description('end a user’s membership of the tenant')
    .addArgument(idArgument('<user-id>', 'the id'))
    .action(async (id) => {
      await (await cli.tenant()).users.delete(id);
      output.note(`removed user ${id}`);
    });
}
