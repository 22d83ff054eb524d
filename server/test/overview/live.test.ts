import { createParser } from 'eventsource-parser';
import { expect, it, onTestFinished } from 'vitest';
import type { Client } from '../support/client.ts';
import { createCustomer } from '../support/customers.ts';
import { sharedService } from '../support/service.ts';

interface Hint {
  kind: string;
  id: string;
}

const service = await sharedService('idle');

/** Follows hints from now on. */
async function follow(client: Client) {
  const end = new AbortController();
  onTestFinished(() => end.abort());
  const headers = { ...client.headers, accept: 'text/event-stream' };
  const response = await fetch(`${client.base_url}/v1/live`, { headers, signal: end.signal });
  const hints: Hint[] = [];
  /** When each came. */
  const times: number[] = [];
  const parser = createParser({
    onEvent: ({ data }) => {
      hints.push(JSON.parse(data) as Hint);
      times.push(performance.now());
    },
  });
  const decoder = new TextDecoder();
  void (async () => {
    for await (const chunk of response.body ?? []) parser.feed(decoder.decode(chunk, { stream: true }));
  })().catch(() => {});
  const of = (id: string) => hints.filter((hint) => hint.id === id);
  return { response, hints, of, timesOf: (id: string) => times.filter((_, nth) => hints[nth]?.id === id) };
}

it('hints at changes of the tenant alone, and never at their content', async () => {
  const [mine, theirs] = [await service.createTenant(), await service.createTenant()];
  const { response, hints, of } = await follow(mine.api);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const other = await createCustomer(theirs);
  const id = await createCustomer(mine, { company_name: 'Harbour' });
  await expect.poll(() => of(id)).toEqual([{ kind: 'customer', id, instance_id: null, customer_id: null }]);
  expect(of(other)).toEqual([]);
  expect(JSON.stringify(hints)).not.toContain('Harbour');
});

it('hints at the same row once a second, and never loses the last change', async () => {
  const { api } = await service.createTenant();
  const { timesOf } = await follow(api);
  const began = performance.now();
  const id = await createCustomer({ api });
  await expect.poll(() => timesOf(id).length).toBe(1);
  let lastChange = 0;
  for (let nth = 0; nth < 20; nth++) {
    lastChange = performance.now();
    await api.patch(`/v1/customers/${id}`, { company_name: `Harbour ${nth}` });
  }
  const lastHint = () => timesOf(id).at(-1) ?? 0;
  await expect.poll(lastHint).toBeGreaterThan(lastChange);
  // On a slow machine the changes take seconds, with a hint in each.
  expect(timesOf(id).length).toBeLessThanOrEqual(1 + (lastHint() - began) / 1000);
});

it('hints only at what the credential may read', async () => {
  const tenant = await service.createTenant();
  const key = await service.createKey(tenant.tenant_id, { scopes: ['recipes:read'] });
  const { hints, of } = await follow(service.anonymous.with({ 'x-api-key': key }));
  await createCustomer(tenant);
  const { body } = await tenant.api.post<{ id: string }>('/v1/recipes', { name: 'Front desk' });
  await expect.poll(() => of(body.id).length).toBe(1);
  expect(hints.map(({ kind }) => kind)).toEqual(['recipe']);
});

it('is a stream alone', async () => {
  const { api } = await service.createTenant();
  expect((await api.get('/v1/live')).status).toBe(406);
});
