-- oldest service: 0002

-- Recordings are priced per minute.
alter table llm_calls add column audio_seconds numeric not null default 0;
alter table llm_days add column audio_seconds numeric not null default 0;
alter table models add column cost_audio_per_minute text check (cost_audio_per_minute ~ '^\d+(\.\d+)?$');
