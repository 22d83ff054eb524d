import { describe, expect, it } from 'vitest';
import { retentionDays } from './retention.ts';

const config = (retention_days: unknown) =>
  ({ compliance_config: { retention_days } }) as Parameters<typeof retentionDays>[0];

describe('the time to keep contents', () => {
  it.each([0, 1, 365])('may be %s days', (days) => {
    expect(retentionDays(config(days))).toBe(days);
  });

  it.each([[{}], [{ compliance_config: null }], [config(null)]])('is 30 days in %j', (absent) => {
    expect(retentionDays(absent)).toBe(30);
  });

  it.each([-1, 366, 1.5, '30', true, [30]])('is 0 when invalid: %j', (broken) => {
    expect(retentionDays(config(broken))).toBe(0);
  });
});
