import { sql } from '../platform/db/sql.ts';
import type { ModelCallStatus } from './model-calls.contract.ts';

interface ModelCallRow {
  id: string;
  at: Date;
  asked_model: string;
  model: string;
  provider: string;
  status: ModelCallStatus;
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
  audio_seconds: number;
  estimated: boolean;
  cost: string | null;
  latency_ms: number | null;
  total: number;
}

interface ModelCallFilter {
  conversation_id: string;
  from: string | null;
  to: string | null;
}

export const listModelCalls = (
  { conversation_id, from, to }: ModelCallFilter,
  limit: number,
  offset: number,
) =>
  sql<ModelCallRow>`
    select id, at, asked_model, model, provider, status, input_tokens::float8 as input_tokens,
           cached_input_tokens::float8 as cached_input_tokens, output_tokens::float8 as output_tokens,
           audio_seconds::float8 as audio_seconds, estimated, trim_scale(cost)::text as cost, latency_ms,
           count(*) over ()::int as total
    from llm_calls
    where conversation_id = ${conversation_id}
      and (${from}::timestamptz is null or at >= ${from}) and (${to}::timestamptz is null or at < ${to})
    order by at desc, id desc limit ${limit} offset ${offset}`;
