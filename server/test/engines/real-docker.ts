import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { TEST_RUNTIME } from '../support/runtimes.ts';

const run = promisify(execFile);
const REPOSITORY = 'acp-engine-test';
const ENTRYPOINT = 'ENTRYPOINT ["/bin/node","/test-runtime.mjs"]';

/** Calls of the daemon that are no part of the engine: an image of the test's runtime, and what strangers do. */
export class RealDocker {
  readonly image = `${REPOSITORY}:1`;
  readonly #socketPath: string;
  readonly #strangers: string[] = [];

  private constructor(endpoint: string) {
    this.#socketPath = new URL(endpoint).pathname;
  }

  static async open(endpoint: string): Promise<RealDocker> {
    const docker = new RealDocker(endpoint);
    await docker.#importImage();
    return docker;
  }

  async occupy(name: string): Promise<void> {
    await this.#call('POST', `/containers/create?name=${name}`, JSON.stringify({ Image: this.image }));
    this.#strangers.push(name);
  }

  async remove(name: string): Promise<void> {
    await this.#call('DELETE', `/containers/${name}?force=true`);
  }

  async labels(name: string): Promise<string> {
    const { Config } = JSON.parse(await this.#call('GET', `/containers/${name}/json`)) as {
      Config: { Labels: object };
    };
    return JSON.stringify(Config.Labels);
  }

  async close(): Promise<void> {
    for (const name of this.#strangers) await this.remove(name);
  }

  /** Node.js with its libraries, and the runtime: there is no registry. */
  async #importImage(): Promise<void> {
    const place = await mkdtemp(join(tmpdir(), 'image-'));
    const [root, file] = [join(place, 'root'), join(place, 'image.tar')];
    try {
      const { stdout } = await run('ldd', [process.execPath]);
      const libraries = [...stdout.matchAll(/(\/\S+) \(0x/g)].flatMap(([, path]) => path ?? []);
      for (const library of libraries) {
        await mkdir(join(root, dirname(library)), { recursive: true });
        await cp(library, join(root, library), { dereference: true });
      }
      for (const directory of ['bin', 'state', 'tmp', 'etc'])
        await mkdir(join(root, directory), { recursive: true });
      await copyFile(process.execPath, join(root, 'bin/node'));
      await copyFile(TEST_RUNTIME[1], join(root, 'test-runtime.mjs'));
      await run('chown', ['-R', '10001', join(root, 'state')]);
      await run('tar', ['-C', root, '-cf', file, '.']);
      const query = new URLSearchParams({ fromSrc: '-', repo: REPOSITORY, tag: '1', changes: ENTRYPOINT });
      await this.#call('POST', `/images/create?${query.toString()}`, await readFile(file));
    } finally {
      await rm(place, { recursive: true, force: true });
    }
  }

  async #call(method: string, path: string, body?: string | Buffer): Promise<string> {
    const { status, said } = await new Promise<{ status: number; said: string }>((resolve, reject) => {
      const type = typeof body === 'string' ? 'application/json' : 'application/x-tar';
      const headers = body === undefined ? {} : { 'Content-Type': type, 'Content-Length': body.length };
      const sent = request(
        { socketPath: this.#socketPath, method, path: `/v1.41${path}`, headers },
        (response) => {
          text(response).then((said) => resolve({ status: response.statusCode ?? 0, said }), reject);
        },
      );
      sent.on('error', reject).end(body);
    });
    if (status >= 400) throw new Error(`${method} ${path}: ${status} ${said}`);
    return said;
  }
}
