import { sql } from '../platform/db/sql.ts';

/** Prices are decimal text, in US dollars per million tokens or per minute. */
export interface CatalogueModel {
  model_id: string;
  slug: string;
  provider: string | null;
  max_output_tokens: number | null;
  capabilities: string[];
  prices: {
    input: string | null;
    cached_input: string | null;
    output: string | null;
    audio_minute: string | null;
  };
}

/** Active models. @param names ids or slugs. In the system scope. */
export const listModelsNamed = (names: readonly string[]) =>
  sql<CatalogueModel>`
    select model_id, slug, provider, max_output_tokens, capabilities, json_build_object('input', cost_input_per_mtok,
      'cached_input', cost_cached_input_per_mtok, 'output', cost_output_per_mtok,
      'audio_minute', cost_audio_per_minute) as prices
    from models where is_active and (model_id = any (${names}) or slug = any (${names})) order by model_id`;
