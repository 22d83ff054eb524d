import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';

let worker: TestService;

beforeAll(async () => {
  worker = await startTestService({ servesClients: false });
});
afterAll(() => worker.stop());

it('a worker process serves runtimes and operators, and no clients', async () => {
  const { key } = await worker.createTenant();
  const id = '00000000-0000-4000-8000-000000000000';
  expect((await worker.anonymous.get('/healthz')).status).toBe(200);
  expect((await worker.operations.get(`/internal/v1/instances/${id}/staff/${id}`)).status).toBe(404);
  expect((await worker.anonymous.get(`/internal/v1/instances/${id}/staff/${id}`)).status).toBe(401);
  expect((await worker.operations.post(`/internal/v1/instances/${id}/enroll`, {})).status).toBe(422);
  expect((await worker.anonymous.with({ 'x-api-key': key }).get('/v1/recipes')).status).toBe(404);
  expect((await worker.anonymous.post('/auth/login', { email: 'a@b.c', password: 'x' })).status).toBe(404);
});
