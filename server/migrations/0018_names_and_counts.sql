-- oldest service: 0006
-- The maker of a revision of a recipe, the rule that an approval waits for, and what a day's sum of calls has of each kind.

-- {kind, id}; null in revisions from before.
alter table recipe_revisions add column created_by jsonb;

-- {tool, expires_minutes, recipe_revision}; null in approvals from before.
alter table approvals add column rule jsonb;

-- null in sums from before.
alter table llm_days add column unpriced_calls bigint;
alter table llm_days add column estimated_calls bigint;
