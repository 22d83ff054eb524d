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
  async tenant(): Promise<ControlPlane> {
    const settings = await this.settings();
    const { apiKey, accessToken, session } = settings;
    if (!apiKey && !accessToken && !session) {
      throw new CliError(
        EXIT.unauthorized,
        `no credential for ${settings.url}`,
        'sign in with "agentctl login", or set ACP_API_KEY',
      );
    }
    this.#noteFoundCredential(settings, 'tenant');
    return clientOf(settings, this.output);
  }

  /** For routes that refuse API keys. */
  async user(): Promise<ControlPlane> {
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
    this.#noteFoundCredential(settings, 'tenant');
    return clientOf({ ...settings, apiKey: undefined }, this.output);
  }

  async operator(): Promise<ControlPlane> {
    const settings = await this.settings();
    if (!settings.operationsToken) {
      throw new CliError(EXIT.unauthorized, `no operations token for ${settings.url}`, OPERATIONS_HINT);
    }
    this.#noteFoundCredential(settings, 'operations');
    return clientOf(settings, this.output);
  }

  async anyone(): Promise<ControlPlane> {
    return clientOf(await this.settings(), this.output);
  }

  #noteFoundCredential({ found, url }: Settings, credential: Target['credential']): void {
    this.#credential = credential;
    if (found?.credentials.includes(credential)) this.output.note(`(with ${found.path}, ${url})`);
  }
}

type Access = Omit<Settings, 'apiKey'> & { readonly apiKey?: string | undefined };

function clientOf(settings: Access, output: Output): ControlPlane {
  const { url, apiKey, accessToken, session, operationsToken } = settings;
  return new ControlPlane({
    baseUrl: url,
    fetch: withWaitNotes(session?.fetch ?? fetch, output),
    ...(apiKey && { apiKey }),
    ...(accessToken && { accessToken }),
    ...(session && { accessToken: () => session.accessToken }),
    ...(operationsToken && { operationsToken }),
  });
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
