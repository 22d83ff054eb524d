import type { ControlPlane } from '@agent-control-plane/sdk';
import type { Cli } from '../cli.ts';
import { usageError } from '../errors.ts';
import { isUuid } from '../finding.ts';
import type { Output } from '../output.ts';
import type { Program } from '../program.ts';
import { findLocalServer } from '../settings.ts';
import { moment } from '../text.ts';

interface Flags {
  readonly user?: string | undefined;
  readonly tenant?: string | undefined;
}

interface Member {
  readonly tenant_id: string;
  readonly user_id: string;
}

export function addDashboard(program: Program, cli: Cli): void {
  program
    .command('dashboard')
    .description('print a link that signs a user in to the dashboard once, within 15 minutes')
    .option('--user <user>', 'e-mail address or id; by default who is signed in, else the only admin')
    .option('--tenant <id>', 'the tenant, where no login or API key names it; --user is an id then')
    .action(async (flags) => {
      const operator = await cli.operator();
      await printLink(operator, cli.output, await findMember(cli, flags));
    });
}

/** The token is in the address, so it is printed and nowhere else. */
export async function printLink(
  operator: ControlPlane,
  output: Output,
  { tenant_id, user_id }: Member,
): Promise<void> {
  const link = await operator.tenants.createSignInLink(tenant_id, user_id);
  output.note(`signs in once, until ${moment(link.expires_at)}:`);
  output.answer(link, () => output.line(link.url));
}

async function findMember(cli: Cli, { user, tenant }: Flags): Promise<Member> {
  if (tenant !== undefined) {
    if (user === undefined || !isUuid(user))
      throw usageError('--tenant takes --user with the id of the user');
    return { tenant_id: tenant, user_id: user };
  }
  const acp = await cli.tenant();
  const { tenant_id, user_id } = await acp.apiKeys.getContext();
  if (user !== undefined && isUuid(user)) return { tenant_id, user_id: user };
  if (user === undefined && user_id !== null) return { tenant_id, user_id };
  const { admin } = (await findLocalServer(cli.env)) ?? {};
  return { tenant_id, user_id: await findUserId(acp, user, admin?.email) };
}

/** @param usual the admin of a server of this machine, which is preferred among several */
async function findUserId(
  acp: ControlPlane,
  wanted: string | undefined,
  usual: string | undefined,
): Promise<string> {
  const email = wanted?.toLowerCase();
  const found: { id: string; email: string }[] = [];
  for await (const user of acp.users.listAll())
    if (email === undefined ? user.role === 'admin' : user.email.toLowerCase() === email) found.push(user);
  const chosen = found.length > 1 ? found.find((user) => user.email === usual) : found[0];
  if (chosen) return chosen.id;
  throw usageError(
    wanted === undefined ? 'the tenant has several admins' : `there is no user ${wanted}`,
    wanted === undefined
      ? 'choose one with --user <e-mail>'
      : '"agentctl users list" shows those that there are',
  );
}
