import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Operation, ReplyOf } from '../contract/operation.ts';
import { JsonList } from '../json/json-list.ts';
import { JsonText } from '../json/json-text.ts';
import { answer } from './answer.ts';

const POSITION = { page: 2, per_page: 3, total: 8 };
let reads = 0;
async function* items() {
  for (const item of ['{"n":1}', '{"n":2}']) {
    reads++;
    yield item;
  }
}
async function* none(): AsyncGenerator<string> {}

const LIST = [{ n: 1 }, { n: 2 }];
const BODIES: Record<string, { body: unknown; says: unknown }> = {
  object: { body: { n: 1, at: new Date(0) }, says: { n: 1, at: '1970-01-01T00:00:00.000Z' } },
  text: { body: new JsonText('{"n":1}'), says: { n: 1 } },
  kept: { body: JsonList.of(['{"n":1}', '{"n":2}']), says: LIST },
  list: { body: JsonList.reading(2, items), says: LIST },
  empty: { body: JsonList.reading(0, none), says: [] },
  page: { body: JsonList.page(POSITION, 2, items), says: { ...POSITION, items: LIST } },
  'empty-page': { body: JsonList.page(POSITION, 0, none), says: { ...POSITION, items: [] } },
};

let app: FastifyInstance;
beforeAll(() => {
  app = Fastify();
  app.get('/:name', (request, reply) => {
    const { name } = request.params as { name: string };
    return answer(request, reply, { status: 200, body: BODIES[name]?.body } as ReplyOf<Operation>);
  });
});
afterAll(() => app.close());

it.each(Object.keys(BODIES))('sends JSON: %s', async (name) => {
  const { body, headers } = await app.inject({ method: 'GET', url: `/${name}` });
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(JSON.parse(body)).toEqual(BODIES[name]?.says);
});

it.each(['list', 'page'])('reads no items for HEAD: %s', async (name) => {
  reads = 0;
  expect((await app.inject({ method: 'HEAD', url: `/${name}` })).statusCode).toBe(200);
  expect(reads).toBe(0);
});
