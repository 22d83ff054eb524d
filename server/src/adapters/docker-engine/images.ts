import { once } from 'node:events';
import type { Log } from '../../platform/ports.ts';
import { IMAGE_NOT_FOUND, NOT_FOUND_MS } from '../remote-engine/missing-images.ts';
import type { PullProgress } from './api.ts';
import type { DockerClient } from './client.ts';
import { DockerRefusal, DockerUnreachable, StartFailure } from './failures.ts';
import { registryLogin } from './registry-login.ts';

export type PullPolicy = 'missing' | 'always' | 'never';

/** A pull that says nothing for as long is given up. */
const SILENCE_MS = 300_000;
/** Those who ask again within it share a pull that failed. */
const FAILED_MS = 2000;

interface ImagesOptions {
  client: DockerClient;
  policy: PullPolicy;
  /** A directory with config.json; undefined: no logins. */
  docker_config: string | undefined;
  log: Log;
  notFoundMs?: number;
}

/** Gets images before containers need them; an image is pulled once for all who wait for it. */
export class Images {
  readonly #options: ImagesOptions;
  readonly #pulls = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();

  constructor(options: ImagesOptions) {
    this.#options = options;
  }

  /** Rejects with a StartFailure `image_pull_failed`. The signal ends the wait, not the pull. */
  async provide(image: string, signal: AbortSignal): Promise<void> {
    const { client, policy } = this.#options;
    const exists = async () => (await client.find(`/images/${encodeURI(image)}/json`)) !== undefined;
    if (policy !== 'always' && (await exists())) return;
    if (policy === 'never') throw this.#failure(`The image ${image} is not there`, true);
    await until(this.#pulls.get(image) ?? this.#begin(image), signal);
  }

  /** For a container that names an image which is not there any more. */
  missing(message: string): StartFailure {
    return this.#failure(message, true);
  }

  close(): void {
    this.#closing.abort();
  }

  #begin(image: string): Promise<void> {
    const pull = this.#pull(image);
    this.#pulls.set(image, pull);
    const forget = () => this.#pulls.delete(image);
    pull.then(forget, () => setTimeout(forget, FAILED_MS).unref());
    return pull;
  }

  async #pull(image: string): Promise<void> {
    const { client, log } = this.#options;
    const silence = new AbortController();
    const silent = () => silence.abort(new DockerUnreachable('The pull says nothing any more'));
    let timer = setTimeout(silent, SILENCE_MS).unref();
    const signal = AbortSignal.any([this.#closing.signal, silence.signal]);
    const headers = await this.#login(image);
    log.info({ image }, 'an image is pulled');
    try {
      const call = { method: 'POST' as const, path: '/images/create', query: queryOf(image), headers };
      const lines = client.lines<PullProgress>({ ...call, signal, timeoutMs: SILENCE_MS });
      for await (const { error, errorDetail } of lines) {
        clearTimeout(timer);
        timer = setTimeout(silent, SILENCE_MS).unref();
        const message = errorDetail?.message ?? error;
        if (message !== undefined)
          throw this.#failure(`${image}: ${message.slice(0, 500)}`, IMAGE_NOT_FOUND.test(message));
      }
    } catch (error) {
      if (!(error instanceof DockerRefusal)) throw error;
      const isNotFound = error.status === 404 || error.status === 400 || IMAGE_NOT_FOUND.test(error.message);
      throw this.#failure(`${image}: ${error.message}`, isNotFound);
    } finally {
      clearTimeout(timer);
    }
  }

  async #login(image: string): Promise<Record<string, string>> {
    const { client, docker_config, log } = this.#options;
    if (docker_config === undefined) return {};
    try {
      const { IndexServerAddress = '' } = await client.get<{ IndexServerAddress?: string }>('/info');
      const login = await registryLogin(docker_config, image, IndexServerAddress);
      return login ? { 'X-Registry-Auth': login } : {};
    } catch (error) {
      if (error instanceof DockerUnreachable) throw error;
      // Its text may hold a part of the file.
      log.warn(
        { reason: (error as NodeJS.ErrnoException).code },
        'DOCKER_CONFIG holds no config.json that can be read',
      );
      return {};
    }
  }

  #failure(message: string, isNotFound: boolean): StartFailure {
    const { notFoundMs = NOT_FOUND_MS } = this.#options;
    return new StartFailure('image_pull_failed', message, isNotFound ? notFoundMs : Infinity);
  }
}

/** Without a tag the daemon would pull all of them. */
function queryOf(image: string): Record<string, string> {
  if (image.includes('@')) return { fromImage: image };
  const [, name = image, tag = 'latest'] = /^(.*?)(?::([^:/]+))?$/.exec(image) ?? [];
  return { fromImage: name, tag };
}

async function until(work: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const over = new AbortController();
  const aborted = once(signal, 'abort', { signal: over.signal }).then(() => signal.throwIfAborted());
  try {
    await Promise.race([work, aborted]);
  } finally {
    over.abort();
    await aborted.catch(() => {});
  }
}
