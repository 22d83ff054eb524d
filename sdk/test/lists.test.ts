import { afterEach, expect, it } from 'vitest';
import { ControlPlane } from '../src/index.ts';
import { json, Loopback } from './support/loopback.ts';

let server: Loopback;
afterEach(() => server.stop());

const page = (id: string, rest: object) => json(200, { items: [{ id }], per_page: 1, total: 2, ...rest });

it.each([
  [
    'behind the last row where the list says how',
    'list_conversations',
    { next_before: '7_a' },
    'page=1&before=7_a',
  ],
  ['by number elsewhere', 'list_instances', {}, 'page=2'],
] as const)('a whole list is read %s', async (_, list, position, second) => {
  const end = 'next_before' in position ? { next_before: null } : {};
  server = await Loopback.start(page('a', { page: 1, ...position }), page('b', { page: 2, ...end }));
  const acp = new ControlPlane({ baseUrl: server.baseUrl, apiKey: 'key' });
  const ids: string[] = [];
  for await (const { id } of acp.each(list, {})) ids.push(id);
  expect(ids).toEqual(['a', 'b']);
  expect(server.received.map(({ url }) => url.split('?')[1])).toEqual([
    'per_page=100&page=1',
    `per_page=100&${second}`,
  ]);
});
