import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ works: false });
});
afterAll(() => service.stop());

it('have a minute to arrive whole', () => {
  const { headersTimeout, requestTimeout } = service.service.app.server;
  expect({ headersTimeout, requestTimeout }).toEqual({ headersTimeout: 60_000, requestTimeout: 60_000 });
});
