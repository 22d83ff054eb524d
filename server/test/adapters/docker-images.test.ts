import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { registryLogin, registryOf } from '../../src/adapters/docker-engine/registry-login.ts';

let directory: string;

const base64 = (text: string) => Buffer.from(text).toString('base64');
const AUTHS = {
  'https://hub.test/v1/': { auth: base64('hubber:pass:with:colons') },
  'registry.test:5000': { username: 'named', password: 'secret' },
  'token.test': { identitytoken: 'a-token' },
  'empty.test': {},
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'docker-config-'));
  await writeFile(join(directory, 'config.json'), JSON.stringify({ auths: AUTHS, credsStore: 'desktop' }));
});
afterAll(() => rm(directory, { recursive: true }));

async function loginFor(image: string): Promise<unknown> {
  const login = await registryLogin(directory, image, 'https://hub.test/v1/');
  return login && JSON.parse(Buffer.from(login, 'base64url').toString());
}

it('the login of an image is that of its registry', async () => {
  expect(await loginFor('library/node:24')).toMatchObject({
    username: 'hubber',
    password: 'pass:with:colons',
  });
  expect(await loginFor('registry.test:5000/a/b@sha256:00')).toEqual({
    username: 'named',
    password: 'secret',
    serveraddress: 'registry.test:5000',
  });
  expect(await loginFor('token.test/a:1')).toMatchObject({ identitytoken: 'a-token' });
  expect(await loginFor('empty.test/a')).toBeUndefined();
  expect(await loginFor('unknown.test/a')).toBeUndefined();
  expect(await loginFor('registry.test/a')).toBeUndefined();
});

it('the registry of an image is its first part, if that can be a host', () => {
  expect(['node', 'team/node:1', 'node:24'].map(registryOf)).toEqual([undefined, undefined, undefined]);
  expect(['localhost/a', 'r.test/a', 'r:5000/a'].map(registryOf)).toEqual(['localhost', 'r.test', 'r:5000']);
});

it('a file that cannot be read is told without its text', async () => {
  await expect(registryLogin('/nowhere', 'a', '')).rejects.toThrow('ENOENT');
});
