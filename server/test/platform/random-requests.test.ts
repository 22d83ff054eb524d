import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/areas.ts';
import type { Credential, Operation } from '../../src/platform/contract/operation.ts';
import type { Client } from '../support/client.ts';
import { insertInstance, type TestInstance } from '../support/instances.ts';
import { emptyDrive, pathOf } from '../support/operations.ts';
import { type RandomRequest, requestsOf } from '../support/random-requests.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { createTenantRows, type TenantRows } from '../support/tenant-rows.ts';

/** Fixed, so that runs repeat; FUZZ_SEED and FUZZ_RUNS override. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_131);
const RUNS = Number(process.env.FUZZ_RUNS ?? 20);

const INTERNAL = new Set<Credential>(['instance', 'enrollment', 'operations']);

let service: TestService;
let tenant: TestTenant;
let rows: TenantRows;
let instance: TestInstance;
let user: Client;

beforeAll(async () => {
  service = await startTestService({ runsJobs: false, drive: emptyDrive });
  tenant = await service.createTenant();
  const tier_id = randomUUID();
  await service.operations.put(`/internal/v1/tiers/${tier_id}`, { name: 'Small' });
  await service.operations.put('/internal/v1/regions/eu-1', { name: 'Europe' });
  rows = { ...(await createTenantRows(service, tenant)), tier_id, region_id: 'eu-1', revision: '1' };
  instance = await insertInstance(service, tenant.tenant_id);
  user = await service.login(tenant.admin_email);
});
afterAll(() => service.stop());

function clientOf({ credential }: Operation): Client {
  if (credential === 'none') return service.anonymous;
  if (INTERNAL.has(credential)) return service.operations;
  return credential === 'user' || credential === 'admin_user' ? user : tenant.api;
}

/** Ids of existing rows, except the caller's own credential, which requests could delete. */
function known({ credential }: Operation): TenantRows {
  const { user_id: _user, api_key_id: _key, ...others } = rows;
  return INTERNAL.has(credential) ? { ...others, instance_id: instance.id } : others;
}

async function send(operation: Operation, { params, query, body }: RandomRequest) {
  const search = new URLSearchParams(query).toString();
  const path = `${pathOf(operation, params)}${search && `?${search}`}`;
  const answer = await clientOf(operation).request(
    operation.method,
    path,
    body === undefined ? {} : { json: body },
  );
  return { ...answer, sent: `${operation.method} ${path} ${JSON.stringify(body)}` };
}

/** Deletions come last, because other requests need the rows. */
const inOrder = operations
  .toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'))
  .map((operation) => [`${operation.method} ${operation.path}`, operation] as const);

describe(`${RUNS} random requests (seed ${SEED}) of`, () => {
  it.each(inOrder)('%s never lead to 5xx', async (_, operation) => {
    await fc.assert(
      fc.asyncProperty(requestsOf(operation, known(operation)), async (request) => {
        const { status, text, headers, sent } = await send(operation, request);
        const declared = operation.failures?.filter((failure) => failure === 502 || failure === 503) ?? [];
        expect(status < 500 || declared.includes(status as 502 | 503), `${sent}\n→ ${status} ${text}`).toBe(
          true,
        );
        expect(headers.get('x-request-id')).toBeTruthy();
        if (status === 422) expect(text).toMatch(/^\{"detail":\[\{"loc":\["(path|query|body|header)"/);
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });
});

it('leave the server alive', async () => {
  expect((await service.anonymous.get('/readyz')).status).toBe(200);
});
