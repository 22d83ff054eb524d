-- oldest service: 0006
-- Claims find the jobs of a kind that are due without a visit to all that are not.

create index jobs_due on jobs (kind, due_at);
