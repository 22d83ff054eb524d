import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FakeLanguageModel, sendCompletion, usageOf } from '../support/fake-language-model.ts';
import { insertInstance } from '../support/instances.ts';
import { ask, calls, pathOf, policy, service, tenant, useModels } from '../support/models.ts';

useModels();

const putOwn = (base_url: string) =>
  tenant.api.put('/v1/llm-providers/mine', { base_url, api_key: 'my-key' });

describe('the models of a provider', () => {
  it('are asked of it now', async () => {
    const own = await FakeLanguageModel.start();
    expect((await putOwn(own.base_url)).status).toBe(200);
    const path = '/v1/llm-providers/mine/models';
    own.respond = (response, { headers }) =>
      response.end(
        JSON.stringify({ data: [{ id: headers.authorization }, { id: 'b' }, { id: 7 }, { id: 'b' }] }),
      );
    expect((await tenant.api.get(path)).body).toEqual({ items: [{ id: 'Bearer my-key' }, { id: 'b' }] });
    own.respond = (response) => response.end('[{"id":"bare"}]');
    expect((await tenant.api.get(path)).body).toEqual({ items: [{ id: 'bare' }] });
    const tooLarge = `{"data":["${'x'.repeat(5 * 1024 * 1024)}"]}`;
    const tooMany = `{"data":[{"id":"a"}${',{}'.repeat(60_000)}]}`;
    for (const answer of ['{"models":[]}', 'no JSON', tooLarge, tooMany]) {
      own.respond = (response) => response.end(answer);
      expect((await tenant.api.get(path)).status).toBe(502);
    }
    own.respond = (response) => response.writeHead(500).end('{"error":{"message":"inner words"}}');
    const failed = await tenant.api.get(path);
    // An address inside, which MCP_ALLOWED_HOSTS allows, tells nothing of itself.
    expect([failed.status, failed.text]).toEqual([
      502,
      '{"detail":"It did not answer as a model provider does"}',
    ]);
    await own.stop();
    expect((await tenant.api.get(path)).status).toBe(502);
    expect((await tenant.api.get('/v1/llm-providers/unknown/models')).status).toBe(404);
  });

  it('of the operator are too, with the reason of a failure', async () => {
    const registered = await FakeLanguageModel.start();
    onTestFinished(() => registered.stop());
    const slug = `provider-${randomUUID().slice(0, 8)}`;
    const path = `/internal/v1/llm-providers/${slug}`;
    await service.operations.put(path, { base_url: registered.base_url, api_key: 'registered-key' });
    registered.respond = (response) => response.end('{"data":[{"id":"small"}]}');
    expect((await service.operations.get(`${path}/models`)).body).toEqual({ items: [{ id: 'small' }] });
    registered.respond = (response) =>
      response.writeHead(401).end('{"error":{"message":"bad registered-key"}}');
    const failed = await service.operations.get(`${path}/models`);
    expect([failed.status, failed.text]).toEqual([502, '{"detail":"401: bad [secret]"}']);
    expect((await service.operations.delete(path)).status).toBe(204);
    expect((await service.operations.get(`${path}/models`)).status).toBe(404);
  });
});

describe('providers', () => {
  it('of the operator serve the models that name them, and `default` replaces the settings', async () => {
    const registered = await FakeLanguageModel.start();
    registered.respond = (response, { body }) => sendCompletion(response, `registered ${body.model}`);
    const slug = `provider-${randomUUID().slice(0, 8)}`;
    const model_id = `served-${randomUUID()}`;
    const path = `/internal/v1/llm-providers/${slug}`;
    const put = await service.operations.put(path, {
      base_url: registered.base_url,
      api_key: 'registered-key',
    });
    expect([put.status, put.text.includes('registered-key')]).toEqual([200, false]);
    await service.operations.put('/internal/v1/models', [{ model_id, provider: slug }]);
    await policy({ model: model_id });
    expect((await ask()).body.choices[0]?.message.content).toBe(`registered ${model_id}`);
    expect(registered.requests[0]?.headers.authorization).toBe('Bearer registered-key');
    expect((await service.operations.post(`${path}/check`)).body).toMatchObject({ ok: true, error: null });
    registered.respond = (response) =>
      response.writeHead(401).end('{"error":{"message":"bad registered-key"}}');
    expect((await service.operations.post(`${path}/check`)).body).toMatchObject({
      ok: false,
      error: '401: bad [secret]',
    });
    const [stored] = await service.database.query<{ sealed: string }>(
      "select encode(sealed_api_key, 'escape') as sealed from llm_providers where slug = $1",
      [slug],
    );
    expect(stored?.sealed).not.toContain('registered-key');
    expect((await service.operations.delete(path)).status).toBe(204);
    expect((await ask()).body.choices[0]?.message.content).toBe(`from ${model_id}`);
    await registered.stop();
  });

  it('have a key that is valid in a header, and a trimmed address', async () => {
    const registered = await FakeLanguageModel.start();
    onTestFinished(() => registered.stop());
    registered.respond = (response) => response.end('{}');
    const path = `/internal/v1/llm-providers/provider-${randomUUID().slice(0, 8)}`;
    const put = (base_url: string, api_key: string) => service.operations.put(path, { base_url, api_key });
    for (const api_key of ['from-a-file\n', 'k\u20ac']) {
      expect(await put(registered.base_url, api_key)).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['body', 'api_key'], type: 'string_pattern_mismatch' }] },
      });
    }
    expect((await put(` ${registered.base_url} `, '')).status).toBe(200);
    expect((await service.operations.post(`${path}/check`)).body).toMatchObject({ ok: true });
    expect(registered.requests[0]?.path).not.toContain('%20');
    expect((await service.operations.delete(path)).status).toBe(204);
  });

  it('of a tenant serve its own models at its own cost, only at public addresses', async () => {
    const own = await FakeLanguageModel.start();
    own.respond = (response, { body }) => sendCompletion(response, `own ${body.model}`, usageOf(5, 5));
    // This test’s service allows 127.0.0.1 as MCP_ALLOWED_HOSTS would.
    for (const refused of [
      'http://example.com/v1',
      'https://10.0.0.1/v1',
      'https://[::1]/',
      'https://u:p@example.com',
      'https://localhost/v1',
      'https://LocalHost.:8443/v1',
      'https://api.localhost/v1',
      `https://${hostname()}/v1`,
      'https://example.com/v1?key=1',
      'https://example.com/v1#part',
    ]) {
      expect((await putOwn(refused)).status, refused).toBe(422);
    }
    expect((await putOwn(own.base_url)).status).toBe(200);
    await policy({ model: 'mine/large/one' });
    expect((await ask()).body.choices[0]?.message.content).toBe('own large/one');
    expect(await calls()).toMatchObject([{ model: 'large/one', cost: null }]);
    // Another tenant has no such provider: the name goes to the default one.
    const other = await insertInstance(service, (await service.createTenant()).tenant_id);
    await policy({ model: 'mine/large/one' }, other);
    expect((await ask({}, pathOf(other))).body.choices[0]?.message.content).toBe('from mine/large/one');
    expect((await tenant.api.post('/v1/llm-providers/mine/check')).body).toMatchObject({ ok: true });
    const inner = 'It did not answer as a model provider does';
    own.respond = (response) => response.writeHead(404).end('{"error":{"message":"Route not found"}}');
    expect((await tenant.api.post('/v1/llm-providers/mine/check')).body).toMatchObject({
      ok: false,
      error: inner,
    });
    expect((await putOwn('http://127.0.0.1:9/v1')).status).toBe(200);
    expect((await tenant.api.post('/v1/llm-providers/mine/check')).body).toMatchObject({
      ok: false,
      error: inner,
    });
    expect((await tenant.api.delete('/v1/llm-providers/mine')).status).toBe(204);
    expect((await tenant.api.get('/v1/llm-providers/mine')).status).toBe(404);
    await own.stop();
  });
});

describe('a policy’s models', () => {
  it('are reported when they are unknown', async () => {
    const { body: recipe } = await tenant.api.post<{ id: string }>('/v1/recipes', {
      name: 'Names',
      model_policy: {
        model: 'gpt-5-minni',
        default_model: 'own-model',
        primary_model: 7,
        fallback_models: ['claude-haiku-4-5', 'claude-haiku-4-5-20251001', 'mine/large'],
        allowed_models: ['gpt-5-mini', 'others/large'],
      },
    });
    const unknown = async () => {
      const { body } = await tenant.api.post<{
        violations: { code: string; path: string; slug: string | null }[];
        effects: object;
      }>('/v1/recipes/compose', { recipe_id: recipe.id });
      expect(body.effects).toMatchObject({ '/model_policy': 'control_plane' });
      return body.violations.flatMap(({ code, path, slug }) => (code === 'unsupported' ? [path, slug] : []));
    };
    const misspelt = ['/model_policy/model', 'gpt-5-minni'];
    const others = ['/model_policy/allowed_models/1', 'others/large'];
    expect(await unknown()).toEqual([
      ...misspelt,
      '/model_policy/fallback_models/2',
      'mine/large',
      ...others,
    ]);
    await putOwn('https://example.com/v1');
    expect(await unknown()).toEqual([...misspelt, ...others]);
  });
});
