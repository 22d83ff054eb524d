import { randomBytes } from 'node:crypto';
import { ApiError, ControlPlane } from '@agent-control-plane/sdk';
import type { Cli } from '../cli.ts';
import { readSecretInput } from '../input.ts';
import type { Output } from '../output.ts';
import { ProfileStore } from '../profiles.ts';
import type { Program } from '../program.ts';

/** As a first start on the embedded database makes them. Fixed ids, so that making them twice makes them once. */
const TIER_ID = 'b3f0c9d4-6c1e-4a7e-9a51-0d2f4c8e7a10';
const TIER = { name: 'Small', description: 'One small process', cpu_millis: 250, memory_mib: 256 };
const REGION_ID = 'local';
const REGION = { name: 'This machine' };

interface Flags {
  readonly name: string;
  readonly adminEmail: string;
  readonly passwordStdin?: true | undefined;
  readonly seeds: boolean;
  readonly saveProfile?: string | undefined;
}

export function addBootstrap(program: Program, cli: Cli): void {
  program
    .command('bootstrap')
    .description(
      'make the first tenant of a new installation, with a tier and a region; where there is a tenant, nothing',
    )
    .option('--name <name>', 'what the tenant is called', 'Demo')
    .option('--admin-email <address>', 'its first admin', 'admin@example.com')
    .option('--password-stdin', 'read the admin’s password from standard input instead of making one')
    .option('--no-seeds', 'without a tier and a region')
    .option('--save-profile <name>', 'make an API key, and keep it in this profile')
    .action((flags) => bootstrap(cli, flags));
}

async function bootstrap(
  cli: Cli,
  { name, adminEmail, passwordStdin, seeds, saveProfile }: Flags,
): Promise<void> {
  const { output } = cli;
  const acp = await cli.operator();
  if ((await acp.tenants.list({ per_page: 1 })).total > 0) return makeNothing(output);
  const given = passwordStdin ? await readSecretInput('password') : undefined;
  const password = given ?? randomBytes(15).toString('base64url');
  // The tenant comes last: without it, the next call does what this one did not get to.
  if (seeds) {
    await acp.tiers.put(TIER_ID, TIER);
    await acp.regions.put(REGION_ID, REGION);
  }
  // Said before it counts, for it is nowhere else.
  if (given === undefined) output.note(`The admin’s password, shown once: ${password}`);
  const first = { name, admin_email: adminEmail, admin_password: password, expect_none: true };
  const tenant = await acp.tenants.create(first).catch(unlessOvertaken);
  if (!tenant) {
    output.note('Another one made the first tenant in the meantime. This one’s password opens nothing.');
    return makeNothing(output);
  }
  if (saveProfile !== undefined) await keepKey(cli, saveProfile, adminEmail, password);
  const made = {
    created: true,
    ...tenant,
    admin_email: adminEmail,
    ...(given === undefined && { admin_password: password }),
    ...(seeds && { tier_id: TIER_ID, region_id: REGION_ID }),
    ...(saveProfile !== undefined && { profile: saveProfile }),
  };
  output.answer(made, () => {
    const { admin_password: _shown, ...rest } = made;
    output.details(rest);
  });
}

const makeNothing = (output: Output): void =>
  output.answer({ created: false }, () => output.line('There is a tenant already: nothing was made.'));

/** What `expect_none` is refused with when there is a tenant by now. */
function unlessOvertaken(error: unknown): undefined {
  if (!(error instanceof ApiError && error.status === 412)) throw error;
}

async function keepKey(cli: Cli, profileName: string, email: string, password: string): Promise<void> {
  const { url } = cli;
  const { access_token } = await new ControlPlane({ baseUrl: url }).authentication.login({ email, password });
  const acp = new ControlPlane({ baseUrl: url, accessToken: access_token });
  const { key } = await acp.apiKeys.create({ name: 'agentctl', role: 'admin', scopes: ['*'] });
  await new ProfileStore(cli.env).keep(profileName, { url, api_key: key });
}
