import { ControlPlane } from '@agent-control-plane/sdk';
import { CliError, EXIT } from './errors.ts';
import { OPERATIONS_HINT, type Target } from './explain.ts';
import { Output } from './output.ts';
import { type GlobalFlags, readSettings, type Settings } from './settings.ts';
import type { Terminal } from './terminal.ts';

export class Cli {
  readonly output: Output;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly terminal: Terminal;
  /** For commands that do not throw. */
  exitCode: number = EXIT.ok;
  readonly #flags: () => GlobalFlags;
  #url = '';
  #credential: Target['credential'] = 'tenant';
  #isServerNamed = false;

  /** @param flags is called after the command line was parsed */
  constructor(flags: () => GlobalFlags, env: Readonly<NodeJS.ProcessEnv>, terminal: Terminal) {
    this.#flags = flags;
    this.env = env;
    this.terminal = terminal;
    this.output = new Output(flags, env, terminal);
  }

  /** Empty before the settings are read. */
  get url(): string {
    return this.#url;
  }

  get target(): Target {
    return { url: this.#url, credential: this.#credential };
  }

  /** @param mayBeNew accepts a named profile that does not exist yet */
  async settings(mayBeNew = false): Promise<Settings> {
    const settings = await readSettings(this.#flags(), this.env, mayBeNew);
    this.#url = settings.url;
    return settings;
  }

  /** Throws CliError without a credential, as do user() and operator(). */
  async tenant(patience: Patience = {}): Promise<ControlPlane> {
    const settings = await this.settings();
    const { apiKey, accessToken, session } = settings;
    if (!apiKey && !accessToken && !session) {
      throw new CliError(EXIT.unauthorized, `no credential for ${settings.url}`, await signInHint(settings));
    }
    return this.#client({ ...settings, ...patience }, 'tenant');
  }

  /** For routes that refuse API keys. */
  async user(patience: Patience = {}): Promise<ControlPlane> {
    const settings = await this.settings();
    const { accessToken, session, found } = settings;
    if (!accessToken && !session) {
      const local = found ? ' (beside a server of this machine: "agentctl login --local")' : '';
      const overrides = this.env.ACP_API_KEY ? ', and unset ACP_API_KEY, which overrides it' : '';
      throw new CliError(
        EXIT.unauthorized,
        'this takes the login of an admin, and no API key',
        `sign in with "agentctl login"${local}${overrides}`,
      );
    }
    return this.#client({ ...settings, ...patience, apiKey: undefined }, 'tenant');
  }

  async operator(): Promise<ControlPlane> {
    const settings = await this.settings();
    if (!settings.operationsToken) {
      throw new CliError(EXIT.unauthorized, `no operations token for ${settings.url}`, OPERATIONS_HINT);
    }
    return this.#client(settings, 'operations');
  }

  async anyone(): Promise<ControlPlane> {
    return this.#client(await this.settings(), undefined);
  }

  #client(settings: Access, credential: Target['credential'] | undefined): ControlPlane {
    const { found, url, usedProfile } = settings;
    if (credential) this.#credential = credential;
    if (credential && found?.credentials.includes(credential)) {
      this.output.note(`(with ${found.path}, ${url})`);
      this.#isServerNamed = true;
    }
    const nameServer = () => {
      if (!this.#isServerNamed)
        this.output.note(`(at ${url}${usedProfile ? `, profile ${usedProfile}` : ''})`);
      this.#isServerNamed = true;
    };
    return clientOf(settings, this.output, nameServer);
  }
}

/** By default the client's own. */
interface Patience {
  readonly timeoutMs?: number;
  readonly retries?: number;
}

type Access = Omit<Settings, 'apiKey'> & { readonly apiKey?: string | undefined } & Patience;

/** Another profile may have one. */
async function signInHint({ store, url, profileName }: Settings): Promise<string> {
  const { profiles } = await store.read();
  const there = profiles[profileName];
  const own = there && there.url !== url ? `; profile ${profileName} is for ${there.url}` : '';
  return `sign in with "agentctl login", or set ACP_API_KEY${own}`;
}

function clientOf(settings: Access, output: Output, nameServer: () => void): ControlPlane {
  const { url, apiKey, accessToken, session, operationsToken, timeoutMs, retries } = settings;
  return new ControlPlane({
    baseUrl: url,
    timeoutMs,
    retries,
    fetch: withServerNamed(withWaitNotes(session?.fetch ?? fetch, output), nameServer),
    ...(apiKey && { apiKey }),
    ...(accessToken && { accessToken }),
    ...(session && { accessToken: () => session.accessToken }),
    ...(operationsToken && { operationsToken }),
  });
}

/** A default that is right for reading may be the wrong server for a change. */
function withServerNamed(send: typeof fetch, nameServer: () => void): typeof fetch {
  return (address, init) => {
    if (!['GET', 'HEAD'].includes(init?.method ?? 'GET')) nameServer();
    return send(address, init);
  };
}

/** The client waits silently for up to a minute, so this prints a note about Retry-After. */
function withWaitNotes(send: typeof fetch, output: Output): typeof fetch {
  return async (...request) => {
    const response = await send(...request);
    const seconds = response.headers.get('retry-after') ?? '';
    if (!response.ok && /^\d+$/.test(seconds))
      output.note(`(the server answered ${response.status} and asks to wait ${seconds} s)`);
    return response;
  };
}
