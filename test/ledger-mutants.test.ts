import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { MUTANTS, MutantBuild } from './ledger-mutants.ts';

it.each(MUTANTS)('the service that $name can be built', async (mutant) => {
  const build = await MutantBuild.of(mutant);
  try {
    // Its settings are missing, which it notices once all its files are loaded.
    const { status, stderr } = spawnSync(process.execPath, [build.main], {
      encoding: 'utf8',
      env: { DATABASE_URL: 'postgres://127.0.0.1:1/none' },
    });
    expect(stderr).toContain('MASTER_KEY');
    expect(status).toBe(1);
  } finally {
    await build.remove();
  }
});
