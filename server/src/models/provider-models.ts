import type { Queryable, TenantQueryable } from '../platform/db/queryable.ts';
import { found, ServiceError } from '../platform/errors.ts';
import { isJsonObject } from '../platform/json/json-object.ts';
import { figureOver, JSON_BOUNDS } from '../platform/json/json-scan.ts';
import { signalAfter } from '../platform/signal-after.ts';
import type { LlmClient, LlmEndpoint } from './llm-client.port.ts';
import {
  CHECK_TIMEOUT_MS,
  type ProviderServices,
  readProviders,
  readTenantProviders,
  unreachable,
} from './llm-providers.ts';
import { reasonOf } from './provider-failures.ts';

/** Large gateways list some hundred models with long descriptions, in about 1 MiB. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const MOST_MODELS = 5000;
const LONGEST_ID = 500;

interface Model {
  id: string;
}

/** 404 for an unknown provider, 502 when it does not answer with its models. */
export const listModelsOf = async (services: ProviderServices, system: Queryable, slug: string) =>
  askForModels(services.llmClient, found('Provider', (await readProviders(services, system)).get(slug)));

/** The same. Gives no reason for an inner address, because reasons would tell about its ports and servers. */
export async function listModelsOfTenants(
  services: ProviderServices,
  q: TenantQueryable,
  slug: string,
): Promise<Model[]> {
  const { llmClient } = services;
  const endpoint = found('Provider', (await readTenantProviders(services, q, [slug])).get(slug));
  return askForModels(llmClient, endpoint).catch((error: unknown) => {
    throw llmClient.isInside(endpoint.base_url) ? unanswered() : error;
  });
}

const unanswered = (reason = 'It did not answer as a model provider does') =>
  new ServiceError('bad_gateway', reason);

async function askForModels(client: LlmClient, endpoint: LlmEndpoint): Promise<Model[]> {
  const signal = signalAfter(CHECK_TIMEOUT_MS);
  try {
    const { status, body } = await client.send(endpoint, { method: 'GET', path: '/models' }, signal);
    if (status < 200 || status >= 300) throw unanswered(await reasonOf(endpoint, status, body));
    return modelsIn(await readBytes(body));
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw unanswered(signal.aborted ? `No answer within ${CHECK_TIMEOUT_MS / 1000} s` : unreachable(error));
  }
}

async function readBytes(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw unanswered('Its list of models is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** In the provider's order. `{data: [{id}]}`; some answer the list alone, or null for an empty one. */
function modelsIn(json: Buffer): Model[] {
  if (figureOver(json, JSON_BOUNDS)) throw unanswered('Its list of models has too many values');
  const answer = parse(json.toString());
  const data: unknown = isJsonObject(answer) && 'data' in answer ? (answer.data ?? []) : answer;
  if (!Array.isArray(data)) throw unanswered();
  const ids = data.map((model: unknown) => (isJsonObject(model) ? model.id : undefined));
  const named = ids.filter(
    (id): id is string => typeof id === 'string' && id !== '' && id.length <= LONGEST_ID,
  );
  return [...new Set(named.map((id) => id.toWellFormed()))].slice(0, MOST_MODELS).map((id) => ({ id }));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
