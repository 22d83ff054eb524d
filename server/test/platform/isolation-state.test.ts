import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let isolation = 'on';

beforeAll(async () => {
  service = await startTestService({ isolation: () => isolation });
});
afterAll(() => service.stop());

it.each(['on', 'off', 'missing: a writable cpu cgroup'])(
  'isolation %s is in readiness and metrics',
  async (state) => {
    isolation = state;
    expect(await service.anonymous.get('/readyz')).toMatchObject({
      status: 200,
      body: { status: 'ready', checks: { isolation: state } },
    });
    const { text } = await service.anonymous.get('/metrics');
    const modes = [...text.matchAll(/^acp_runtime_isolation\{mode="(\w+)"\} (\d)$/gm)];
    expect(modes.filter(([, , value]) => value === '1').map(([, mode]) => mode)).toEqual([
      state.split(':')[0],
    ]);
    expect(modes).toHaveLength(3);
  },
);
