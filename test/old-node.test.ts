import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const AS_18 =
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"18.20.8"}})';

it.each(['server/dist/main.js', 'server/dist/migrate-only.js', 'cli/bin/agentctl.js'])(
  '%s says in one line which Node.js it needs',
  (program) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', AS_18, join(ROOT, program)], {
      encoding: 'utf8',
    });
    expect([stdout, stderr]).toEqual([
      '',
      expect.stringMatching(/^(?:error: )?Node\.js 20\.19 or newer is needed, and this is 18\.20\.8\n$/),
    ]);
    expect(status).not.toBe(0);
  },
);
