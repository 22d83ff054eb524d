import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, vi } from 'vitest';
import { configure } from './conversations.ts';
import { FakeLanguageModel, sendCompletion, usageOf } from './fake-language-model.ts';
import { insertInstance, type TestInstance } from './instances.ts';
import { PATIENT_WAITS, startTestService, type TestService, type TestTenant } from './service.ts';

export let model: FakeLanguageModel;
export let service: TestService;
export let tenant: TestTenant;
export let instance: TestInstance;

/** Until a fallback is tried. Nothing else waits that long. */
const FALLBACK_AFTER_MS = 123_456;

/**
 * For models that hang, so that nothing depends on how fast this machine is. Until the test ends.
 * @returns lets the time of the first model pass
 */
export function watchFallback(): () => void {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => timers.mockRestore());
  return () => {
    const [pass] = timers.mock.calls.find(([, ms]) => ms === FALLBACK_AFTER_MS) ?? [];
    (pass ?? expect.unreachable('No model has a fallback'))();
  };
}

/**
 * A service per file, and an instance of a new tenant per test. Without jobs nothing but the tests counts and deletes calls.
 */
export function useModels({ runsJobs = false } = {}): void {
  beforeAll(async () => {
    model = await FakeLanguageModel.start();
    service = await startTestService({
      settings: {
        llm: { base_url: model.base_url, api_key: 'operators-key', model: 'own-model' },
      },
      runsJobs,
      databaseWaits: PATIENT_WAITS,
      modelTimeouts: { withFallback: FALLBACK_AFTER_MS },
    });
  });
  beforeEach(async () => {
    tenant = await service.createTenant();
    instance = await insertInstance(service, tenant.tenant_id);
    model.requests.length = 0;
    model.respond = (response, { body }) => sendCompletion(response, `from ${body.model}`, usageOf(10, 5));
  });
  afterAll(async () => {
    await service.stop();
    await model.stop();
  });
}

export const HELLO = { messages: [{ role: 'user', content: 'hello' }] };

export const pathOf = ({ id }: TestInstance) => `/internal/v1/instances/${id}/llm/chat/completions`;

export interface Answer {
  detail?: string;
  error?: { message: string; type: string; code: string | null; status?: number };
  choices: { message: { content: string } }[];
}

export const ask = (body: object = {}, path = pathOf(instance)) =>
  service.operations.post<Answer>(path, { ...HELLO, ...body });

export const policy = (model_policy: object, of = instance) => configure(service, of, { model_policy }, 30);

export const modelsAsked = () => model.requests.map(({ body }) => body.model);

interface Row {
  asked_model: string;
  model: string;
  status: string;
  input_tokens: string;
  output_tokens: string;
  estimated: boolean;
  cost: string | null;
}

export const calls = (of = instance) =>
  service.database.query<Row>(
    `select asked_model, model, status, input_tokens, output_tokens, estimated, cost from llm_calls
     where instance_id = $1 order by at`,
    [of.id],
  );

export async function createModel(cost = '1'): Promise<string> {
  const model_id = `priced-${randomUUID()}`;
  const prices = {
    cost_input_per_mtok: cost,
    cost_cached_input_per_mtok: '0.5',
    cost_output_per_mtok: '10',
  };
  await service.operations.put('/internal/v1/models', [
    { model_id, provider: 'nobodys', max_output_tokens: 100, ...prices },
  ]);
  return model_id;
}
