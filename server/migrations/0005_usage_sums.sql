-- oldest service: 0001

-- Sums that no call can overflow.
alter table llm_spending alter column tokens type numeric, alter column reserved_tokens type numeric;
alter table llm_days
  alter column input_tokens type numeric, alter column cached_input_tokens type numeric,
  alter column output_tokens type numeric;

-- Recordings are priced per minute.
alter table llm_calls add column audio_seconds numeric not null default 0;
alter table llm_days add column audio_seconds numeric not null default 0;
alter table models add column cost_audio_per_minute text check (cost_audio_per_minute ~ '^\d+(\.\d+)?$');

-- The sums’ functions take numbers of any size (models/spending.sql).
drop function if exists add_llm_spending(uuid, date, uuid, uuid, numeric, bigint, numeric, bigint);
drop function if exists llm_exceeds(llm_spending, numeric, bigint, numeric, numeric);
