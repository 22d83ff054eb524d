import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { startTestService } from '../support/service.ts';

it('a start on a database behind the last seen number reports it until the next start', async () => {
  const database = await createTestDatabase();
  const lines: string[] = [];
  let kept: number | undefined;
  const lastSeenNumber = {
    read: async () => kept,
    write: async (number: number) => {
      kept = number;
    },
  };
  /** @returns 1 if the start detected a restore */
  const start = async () => {
    const logger = pino({}, { write: (line) => void lines.push(line) });
    const { service, anonymous } = await startTestService({
      database,
      master_key: KEY,
      logger,
      lastSeenNumber,
    });
    const { text } = await anonymous.get('/metrics');
    await service.stop();
    return /^acp_database_restored (\d)$/m.exec(text)?.[1];
  };
  const warnings = () => lines.filter((line) => line.includes('behind the data directory'));
  expect([await start(), await start()]).toEqual(['0', '0']);
  expect(kept).toBe(2);
  await database.query('update service_clock set number = 0');
  expect(await start()).toBe('1');
  expect(warnings()).toHaveLength(1);
  expect([await start(), await start()]).toEqual(['0', '0']);
  expect(warnings()).toHaveLength(1);
  await database.drop();
});

const KEY = Buffer.alloc(32, 3);
