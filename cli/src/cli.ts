import { ControlPlane } from '@agent-control-plane/sdk';
import { CliError, EXIT } from './errors.ts';
import { type Asked, OPERATIONS_HINT } from './explain.ts';
import { Output } from './output.ts';
import { type GlobalFlags, readSettings, type Settings } from './settings.ts';
import type { Terminal } from './terminal.ts';

/** Gives commands their output, settings and clients. */
export class Cli {
  readonly output: Output;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly terminal: Terminal;
  /** The exit code of a command that does not throw. */
  exitCode: number = EXIT.ok;
  readonly #flags: () => GlobalFlags;
  #url = '';
  #credential: Asked['credential'] = 'tenant';

  /** @param flags reads the global options, after the command line was parsed */
  constructor(flags: () => GlobalFlags, env: Readonly<NodeJS.ProcessEnv>, terminal: Terminal) {
    this.#flags = flags;
    this.env = env;
    this.terminal = terminal;
    this.output = new Output(flags, env, terminal);
  }

  /** The server's address; empty before the settings are read. */
  get url(): string {
    return this.#url;
  }

  get asked(): Asked {
    return { url: this.#url, credential: this.#credential };
  }

  /** @param mayBeNew accepts a named profile that does not exist yet */
  async settings(mayBeNew = false): Promise<Settings> {
    const settings = await readSettings(this.#flags(), this.env, mayBeNew);
    this.#url = settings.url;
    return settings;
  }

  /** A client with a tenant's credential. Throws CliError when there is none. */
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
    this.#tell(settings, 'tenant');
    return clientOf(settings, this.output);
  }

  /** A client with a user's login, for what takes no API key. Throws CliError when there is none. */
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
    this.#tell(settings, 'tenant');
    return clientOf({ ...settings, apiKey: undefined }, this.output);
  }

  /** A client with the operations token. Throws CliError when there is none. */
  async operator(): Promise<ControlPlane> {
    const settings = await this.settings();
    if (!settings.operationsToken) {
      throw new CliError(EXIT.unauthorized, `no operations token for ${settings.url}`, OPERATIONS_HINT);
    }
    this.#tell(settings, 'operations');
    return clientOf(settings, this.output);
  }

  /** A client for public operations. */
  async anyone(): Promise<ControlPlane> {
    return clientOf(await this.settings(), this.output);
  }

  #tell({ found, url }: Settings, credential: Asked['credential']): void {
    this.#credential = credential;
    if (found?.credentials.includes(credential)) this.output.note(`(with ${found.path}, ${url})`);
  }
}

type Access = Omit<Settings, 'apiKey'> & { readonly apiKey?: string | undefined };

function clientOf(settings: Access, output: Output): ControlPlane {
  const { url, apiKey, accessToken, session, operationsToken } = settings;
  return new ControlPlane({
    baseUrl: url,
    fetch: tellingOfWaits(session?.fetch ?? fetch, output),
    ...(apiKey && { apiKey }),
    ...(accessToken && { accessToken }),
    ...(session && { accessToken: () => session.accessToken }),
    ...(operationsToken && { operationsToken }),
  });
}

/** Wraps `send` with a note about the server's Retry-After, because the client waits silently for up to a minute. */
function tellingOfWaits(send: typeof fetch, output: Output): typeof fetch {
  return async (...request) => {
    const response = await send(...request);
    const seconds = response.headers.get('retry-after') ?? '';
    if (!response.ok && /^\d+$/.test(seconds))
      output.note(`(the server answered ${response.status} and asks to wait ${seconds} s)`);
    return response;
  };
}
