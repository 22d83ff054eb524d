import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

async function packed(workspace: string): Promise<string[]> {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--workspace', workspace];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: ROOT });
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  return files.map(({ path }) => path);
}

describe('what npm packs', () => {
  it.each([
    ['cli', ['README.md', 'bin/agentctl.js', 'dist/main.js', 'dist/commands/deploy.js', 'package.json']],
    ['sdk', ['README.md', 'dist/index.js', 'dist/index.d.ts', 'package.json']],
  ])('of %s holds the program without sources and tests', async (workspace, needed) => {
    const files = await packed(workspace);
    expect(files).toEqual(expect.arrayContaining(needed));
    expect(files.filter((path) => /^(?:src|test)\/|\.tsbuildinfo$/.test(path))).toEqual([]);
  });

  it('of sdk has source maps with embedded sources, which bundlers need', async () => {
    const maps = (await packed('sdk')).filter((path) => path.endsWith('.map'));
    expect(maps).toContain('dist/index.js.map');
    const texts = await Promise.all(maps.map((path) => readFile(join(ROOT, 'sdk', path), 'utf8')));
    expect(texts.filter((text) => !text.includes('"sourcesContent":['))).toEqual([]);
  });
});
