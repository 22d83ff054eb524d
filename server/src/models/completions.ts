import type { Caller } from '../conversations/caller.ts';
import type { Queryable, TenantQueryable } from '../platform/db/queryable.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { readModelPolicy } from '../recipes/fields/model-policy.ts';
import type { TokenCounts } from './llm-calls.db.ts';
import { type CompletionServices, ModelCall } from './model-call.ts';
import { type Candidate, chooseModels } from './model-choice.ts';
import { type ModelAnswer, ModelTry } from './model-try.ts';
import { type FailedTry, type ModelFailure, modelFailure } from './provider-failures.ts';
import { ignoredHeader, readFields } from './request-fields.ts';

interface Scopes {
  q: TenantQueryable;
  system: Queryable;
}

type Outcome = ModelAnswer | { kind: 'failure'; failure: ModelFailure };
/** `headers` name what was left out of the request. */
export type Completion = Outcome & { headers: Record<string, string> };

const NOTHING: TokenCounts = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, estimated: false };

/**
 * Calls a model for an instance (contract, section 14): reserves the maximum cost, tries the models in order until one begins
 * to answer, and settles the usage.
 */
export async function complete(
  services: CompletionServices,
  scopes: Scopes,
  caller: Caller,
  asked: JsonObject,
  signal: AbortSignal,
): Promise<Completion> {
  const fields = readFields(asked);
  if ('refused' in fields) return { ...failed(refusedField(fields)), headers: {} };
  const completion = await choose(services, scopes, caller, { named: asked.model, ...fields }, signal);
  const ignored = completion.kind === 'failure' ? [] : completion.ignored;
  return { ...completion, headers: ignoredHeader([...fields.ignored, ...ignored]) };
}

function refusedField({ refused, reason }: { refused: string; reason: string }): ModelFailure {
  const failure = modelFailure(400, `The field ${refused} ${reason}`, 'unsupported_field');
  return { ...failure, body: { ...failure.body, error: { ...failure.body.error, param: refused } } };
}

async function choose(
  services: CompletionServices,
  scopes: Scopes,
  caller: Caller,
  { named, passed: asked }: { named: unknown; passed: JsonObject },
  signal: AbortSignal,
): Promise<Outcome> {
  const began = performance.now();
  const policy = readModelPolicy(caller.config);
  const choice = await chooseModels(services, scopes, policy, named);
  if (!choice || choice.candidates.length === 0) {
    services.modelMetrics.count('refused', 0);
    return failed(modelFailure(503, 'No provider of language models is configured', 'no_provider'));
  }
  const { asked_model, candidates } = choice;
  const call = new ModelCall({ services, q: scopes.q, caller, policy, asked, asked_model, began, signal });
  return tryModels(call, candidates);
}

const failed = (failure: ModelFailure): Outcome => ({ kind: 'failure', failure });

async function tryModels(call: ModelCall, candidates: readonly Candidate[]): Promise<Outcome> {
  let failure: FailedTry | undefined;
  let tried: Candidate | undefined;
  for (const [index, candidate] of candidates.entries()) {
    if (candidate.is_last_resort && !failure?.is_unknown_model) continue;
    const request = call.requestFor(candidate);
    const refusal = await call.reserve(candidate, request);
    if (refusal) {
      if (failure) break;
      call.services.modelMetrics.count('refused', 0);
      return failed(refusal);
    }
    tried = candidate;
    const hasNext = candidates.slice(index + 1).some((next) => !next.is_last_resort);
    const ended = await new ModelTry(call, candidate, request, hasNext).run();
    if ('kind' in ended) return ended;
    failure = ended;
    call.logFailure(candidate, failure);
    const isAborted = call.signal.aborted;
    const spent = failure.counts ?? (failure.may_cost ? call.reserved(request) : undefined);
    if (spent) {
      await call.settle(candidate, isAborted ? 'aborted' : 'failed', spent);
      tried = undefined;
    }
    if (!failure.is_passing || isAborted) break;
  }
  if (tried) await call.settle(tried, 'failed', NOTHING);
  return failed(failure ?? modelFailure(503, 'No model could be tried'));
}
