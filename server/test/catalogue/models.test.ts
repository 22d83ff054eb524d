import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { upsertModels } from '../../src/catalogue/models.db.ts';
import { NOW } from '../../src/platform/db/sql.ts';
import { withConnection } from '../support/connection.ts';
import { executorTimes, growthOfCost, LESS_THAN_QUADRATIC } from '../support/growth.ts';
import { startTestService, type TestService } from '../support/service.ts';

const PATH = '/v1/public/models';
const FIELDS = [
  'id',
  'model_id',
  'slug',
  'display_name',
  'provider',
  'modality',
  'api_format',
  'capabilities',
  'context_window',
  'max_output_tokens',
  'typical_tps',
  'speed_tier',
  'cost_input_per_mtok',
  'cost_cached_input_per_mtok',
  'cost_output_per_mtok',
  'cost_audio_per_minute',
  'is_active',
  'is_deprecated',
];

interface Model {
  id: string;
  model_id: string;
  slug: string;
  [field: string]: unknown;
}

let service: TestService;

// The catalogue of a shared service has what other tests add to it.
beforeAll(async () => {
  service = await startTestService({ runsJobs: false });
});
afterAll(() => service.stop());

const list = async (query = '') => (await service.anonymous.get<Model[]>(PATH + query)).body;
const find = async (model_id: string) => (await list()).find((model) => model.model_id === model_id);
const put = (body: unknown) => service.operations.put<{ upserted: number }>('/internal/v1/models', body);

const manyModels = (count: number, tps: number) =>
  Array.from({ length: count }, (_, index) => ({
    model_id: `many-${index}`,
    typical_tps: tps,
    is_active: false,
  }));

const faults = (prefix: string[]) => [
  { loc: ['body', ...prefix, '0', 'model_id'], type: 'missing' },
  { loc: ['body', ...prefix, '1', 'cost_input_per_mtok'], type: 'string_type' },
  { loc: ['body', ...prefix, '1', 'cost_cached_input_per_mtok'], type: 'string_pattern_mismatch' },
  { loc: ['body', ...prefix, '1', 'cost_output_per_mtok'], type: 'string_pattern_mismatch' },
  { loc: ['body', ...prefix, '1', 'cost_audio_per_minute'], type: 'string_pattern_mismatch' },
  { loc: ['body', ...prefix, '2', 'slug'], type: 'string_type' },
  { loc: ['body', ...prefix, '2', 'context_window'], type: 'int_type' },
  { loc: ['body', ...prefix, '2', 'is_active'], type: 'bool_type' },
];

describe('the public catalogue', () => {
  it('is filled at the start, with prices as decimal text', async () => {
    const models = await list();
    expect(models.length).toBeGreaterThan(20);
    for (const model of models) {
      expect(Object.keys(model)).toEqual(FIELDS);
      expect(model).toMatchObject({ is_active: true, typical_tps: null });
      for (const field of FIELDS.filter((name) => name.endsWith('_per_mtok'))) {
        expect(model[field]).toMatch(/^\d+\.\d+$/);
      }
    }
    expect(new Set(models.map(({ model_id }) => model_id)).size).toBe(models.length);
    const rows = await service.database.query(
      'select from models where source is null or observed_on is null',
    );
    expect(rows).toEqual([]);
  });

  it('has every model that a new tenant approves', async () => {
    const approved = await service.database.query<{ slug: string }>(
      `select slug from default_primitives where kind = 'model'`,
    );
    const slugs = (await list()).map(({ slug }) => slug);
    expect(approved.map(({ slug }) => slug).filter((slug) => !slugs.includes(slug))).toEqual([]);
  });

  it('answers 304 to a request with its ETag', async () => {
    const first = await service.anonymous.get(PATH);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    expect(first.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await service.anonymous.get(PATH, { 'if-none-match': tags });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
      expect(again.headers.get('cache-control')).toMatch(/^public/);
    }
    expect((await service.anonymous.get(PATH, { 'if-none-match': '"other"' })).status).toBe(200);
    await put([{ model_id: 'etag-model', modality: 'text' }]);
    const changed = await service.anonymous.get(PATH, { 'if-none-match': etag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(etag);
  });

  it('is filtered by modality', async () => {
    await put([{ model_id: 'ear', modality: 'audio' }]);
    expect((await list('?modality=audio')).map(({ model_id }) => model_id)).toEqual(['ear']);
    expect((await list('?modality=text')).some(({ model_id }) => model_id === 'ear')).toBe(false);
    expect(await list('?modality=smell')).toEqual([]);
  });
});

describe('the upsert', () => {
  it('keeps prices as they were sent', async () => {
    const full = {
      model_id: 'full-1',
      slug: 'full',
      display_name: 'Full',
      provider: 'acme',
      modality: 'text',
      api_format: 'openai',
      capabilities: ['tools'],
      context_window: 1000,
      max_output_tokens: 100,
      typical_tps: 50,
      speed_tier: 'fast',
      cost_input_per_mtok: '1.10',
      cost_cached_input_per_mtok: '0.0000000000000000001',
      cost_output_per_mtok: '12345678901234567890',
      cost_audio_per_minute: null,
      is_active: true,
      is_deprecated: true,
    };
    expect(await put({ models: [full, { model_id: 'bare', capabilities: null }] })).toMatchObject({
      status: 200,
      body: { upserted: 2 },
    });
    expect(await find('full-1')).toEqual({ id: expect.any(String), ...full });
    expect(await find('bare')).toMatchObject({
      slug: 'bare',
      display_name: 'bare',
      capabilities: [],
      cost_input_per_mtok: null,
      is_active: true,
      is_deprecated: false,
    });
  });

  it('changes given fields and clears null ones', async () => {
    await put([
      {
        model_id: 'm',
        slug: 's',
        capabilities: ['tools'],
        context_window: 5,
        cost_input_per_mtok: '1.0',
        source: 'a',
        observed_on: '2026-01-31',
      },
    ]);
    const before = await find('m');
    const change = { capabilities: null, context_window: null, cost_output_per_mtok: '2' };
    expect((await put([{ model_id: 'm', ...change }])).status).toBe(200);
    expect(await find('m')).toEqual({ ...before, ...change, capabilities: [] });
    const [row] = await service.database.query(`select source, observed_on from models where model_id = 'm'`);
    expect(row).toEqual({ source: null, observed_on: null });
    await put([{ model_id: 'm', is_active: false }]);
    expect(await find('m')).toBeUndefined();
    await put([{ model_id: 'm', is_active: true }]);
    expect(await find('m')).toMatchObject({ id: before?.id, slug: 's', cost_input_per_mtok: '1.0' });
  });

  it('applies two entries of one model in order', async () => {
    const twice = [
      { model_id: 'twice', slug: 'a', context_window: 7 },
      { model_id: 'twice', slug: 'b' },
    ];
    expect((await put(twice)).body).toEqual({ upserted: 1 });
    expect(await find('twice')).toMatchObject({ slug: 'b', context_window: 7 });
    expect((await put({ models: [] })).body).toEqual({ upserted: 0 });
  });

  it('takes linear time', async () => {
    await put(manyModels(4000, 1));
    await withConnection(service.database.url, async (client) => {
      const takes = await executorTimes(client);
      const change = (count: number, nth: number) => {
        const { text, values } = upsertModels(manyModels(count, nth + 2));
        const parameters = values.map((value) => (value === NOW ? new Date() : value));
        return takes(() => client.query(text, parameters));
      };
      expect(await growthOfCost(change, 1000)).toBeLessThan(LESS_THAN_QUADRATIC);
    });
  });

  it('ignores unknown fields', async () => {
    const more = { id: 7, created_at: 'yesterday', updated_at: {}, tps: [1] };
    for (const context_window of [1, 2]) {
      expect((await put([{ model_id: 'more', context_window, ...more }])).status).toBe(200);
      expect(await find('more')).toMatchObject({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        context_window,
      });
    }
  });

  it('keeps all fields of concurrent upserts', async () => {
    const fields = ['context_window', 'max_output_tokens', 'typical_tps'];
    for (let round = 1; round <= 10; round++) {
      await Promise.all(fields.map((field) => put([{ model_id: 'race', [field]: round }])));
      expect(await find('race')).toMatchObject(Object.fromEntries(fields.map((field) => [field, round])));
    }
  });

  it('lists every fault', async () => {
    const entries = [
      {},
      {
        model_id: 'x',
        cost_input_per_mtok: 1.5,
        cost_output_per_mtok: '1,5',
        cost_audio_per_minute: '1 $',
        cost_cached_input_per_mtok: '-1',
      },
      { model_id: 'x', context_window: '5', is_active: 1, slug: null },
    ];
    const [bare, named] = [await put(entries), await put({ models: entries })];
    expect([bare.status, named.status]).toEqual([422, 422]);
    expect(bare.body).toMatchObject({ detail: faults([]) });
    expect(named.body).toMatchObject({ detail: faults(['models']) });
    expect((await put({})).body).toMatchObject({ detail: [{ loc: ['body', 'models'], type: 'missing' }] });
    expect((await put({ models: {} })).body).toMatchObject({ detail: [{ type: 'list_type' }] });
    expect((await put('text')).status).toBe(422);
    expect((await put(undefined)).body).toMatchObject({ detail: [{ loc: ['body'], type: 'missing' }] });
    expect(await find('x')).toBeUndefined();
  });
});
