import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProcessEngine } from '../../src/adapters/process-engine/engine.ts';
import { silentLog } from '../support/log.ts';
import { TEST_RUNTIME } from '../support/runtimes.ts';
import { describeEngine, type EngineBed } from './contract.ts';

/** Each engine has a DATA_DIR of its own, of which it is the only holder. */
describeEngine('process', async () => {
  const place = await realpath(await mkdtemp(join(tmpdir(), 'engine-')));
  const output: string[] = [];
  let count = 0;
  const bed: EngineBed = {
    output,
    outlives: false,
    open: ({ clean } = {}) =>
      new ProcessEngine({
        dataDir: join(place, String(count++)),
        command: TEST_RUNTIME,
        isolation: 'none',
        log: silentLog,
        onOutput: async (_id, lines) => void output.push(...lines),
        ...(clean && { clean }),
      }),
    close: () => rm(place, { recursive: true, force: true }),
  };
  return bed;
});
