import { ApiError, ControlPlane } from '@agent-control-plane/sdk';
import { Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { CliError, EXIT, usageError } from '../errors.ts';
import { ask, askSecret, isInteractive, readSecretInput } from '../input.ts';
import { nameFor, type Profile } from '../profiles.ts';
import type { Program } from '../program.ts';
import { findLocalServer, normalized } from '../settings.ts';

interface LoginFlags {
  readonly email?: string | undefined;
  readonly passwordStdin?: true | undefined;
  readonly tenant?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly local?: true | undefined;
  readonly yes?: true | undefined;
}

export function addLogin(program: Program, cli: Cli): void {
  const { output } = cli;

  program
    .command('login')
    .description('save a login or an API key in a profile')
    .option('--email <address>', 'asked for when missing')
    .option('--password-stdin', 'read the password from standard input instead of asking')
    .option('--tenant <id>', 'the tenant to enter, for an address with accounts in several')
    .option('--api-key <->', 'save an API key instead; - reads it from standard input')
    .option('-y, --yes', 'replace an API key that the profile holds')
    .addOption(
      new Option(
        '--local',
        'as the admin that a server of this machine has made at its first start',
      ).conflicts(['email', 'passwordStdin', 'apiKey', 'tenant']),
    )
    .action((flags) => login(cli, flags));

  program
    .command('logout')
    .description('end the login of a profile and delete its credentials')
    .action(async () => {
      const { store, profileName } = await cli.settings();
      const profile = await store.change(async (known) => {
        const { [profileName]: profile, ...others } = known.profiles;
        const { current, ...rest } = known;
        const kept = current === profileName || current === undefined ? rest : known;
        return { profiles: { ...kept, profiles: others }, result: profile };
      });
      if (profile?.refresh_token) {
        const acp = new ControlPlane({ baseUrl: profile.url });
        await acp.authentication.logout({ refresh_token: profile.refresh_token });
      }
      output.note(profile ? `deleted profile ${profileName}` : `there is no profile ${profileName}`);
    });

  program
    .command('whoami')
    .description('show the credential in use and its rights')
    .action(async () => {
      const context = await (await cli.tenant()).apiKeys.getContext();
      output.answer(context, () => output.details({ url: cli.url, ...context }));
    });
}

async function login(cli: Cli, flags: LoginFlags): Promise<void> {
  const { output } = cli;
  const { store, namedProfile, url: asked } = await cli.settings(true);
  const local = flags.local && (await localServer(cli));
  const url = local ? local.base_url : asked;
  const place = { name: namedProfile, ...(local && { newName: 'local' }), replacesKey: flags.yes };
  const before = await store.read();
  // Before a session begins that could not be saved.
  nameFor(before, url, place);
  const { profile, who } = await enter(cli, url, flags, local?.admin).catch(refused);
  const name = await store.keep(profile, place);
  output.note(`${who} at ${url}: profile ${name}, ${store.path}`);
  if (namedProfile === undefined && before.current !== undefined && before.current !== name)
    output.note(`profile ${name} is now in use; "agentctl profiles use ${before.current}" goes back`);
  for (const variable of ['ACP_URL', 'ACP_API_KEY', 'ACP_TOKEN', 'ACP_PROFILE']) {
    if (cli.env[variable]) output.note(`${variable} is set and overrides the profile`);
  }
}

type Admin = { readonly email: string; readonly password: string };

function enter(cli: Cli, url: string, flags: LoginFlags, admin: Admin | undefined): Promise<Entered> {
  if (admin) return signInAs(url, admin);
  return flags.apiKey === undefined ? signIn(cli, url, flags) : takeKey(cli, url, flags.apiKey);
}

interface Entered {
  readonly profile: Profile;
  readonly who: string;
}

/** Throws CliError without a server whose admin is known. */
async function localServer({ env }: Cli): Promise<{ base_url: string; admin: Admin }> {
  const local = await findLocalServer(env);
  if (local?.admin) return { base_url: normalized(local.base_url), admin: local.admin };
  const place = `${env.DATA_DIR || 'data'}/credentials.json`;
  throw usageError(`${place} has no admin`, 'run this beside the server, or set DATA_DIR to its directory');
}

async function signInAs(url: string, login: Admin & { tenant_id?: string }): Promise<Entered> {
  const acp = new ControlPlane({ baseUrl: url });
  const { access_token, refresh_token, role } = await acp.authentication.login(login);
  const { email } = login;
  return { profile: { url, email, access_token, refresh_token }, who: `${email} (${role})` };
}

async function signIn(
  { terminal }: Cli,
  url: string,
  { email, passwordStdin, tenant }: LoginFlags,
): Promise<Entered> {
  if (!passwordStdin && !isInteractive(terminal)) {
    throw usageError('no terminal to ask for the password', 'use --password-stdin, or --api-key -');
  }
  if (email === undefined && passwordStdin) throw usageError('--password-stdin needs --email');
  if (!passwordStdin) terminal.stderr.write(`Sign in at ${url}\n`);
  const address = email ?? (await ask(terminal, 'E-mail'));
  const password = passwordStdin
    ? await readSecretInput(terminal, 'password')
    : await askSecret(terminal, 'Password');
  return signInAs(url, { email: address, password, ...(tenant !== undefined && { tenant_id: tenant }) });
}

function refused(error: unknown): never {
  if (error instanceof ApiError && error.status === 401) throw new CliError(EXIT.unauthorized, error.detail);
  throw error;
}

async function takeKey({ terminal }: Cli, url: string, given: string): Promise<Entered> {
  if (given !== '-')
    throw usageError(
      'an API key must not be on the command line',
      'use --api-key - and pass it on standard input',
    );
  const apiKey = isInteractive(terminal)
    ? await askSecret(terminal, 'API key')
    : await readSecretInput(terminal, 'API key');
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw usageError('that is not an API key');
  const { role } = await new ControlPlane({ baseUrl: url, apiKey }).apiKeys.getContext();
  return { profile: { url, api_key: apiKey }, who: `An API key (${role})` };
}
