/** Markdown: rules of all operations. */
export const INTRODUCTION = `Manages AI-agent instances for tenants and their customers: recipes describe agents, deploys make instances of them, and
channels bring them messages.

**Credentials.** Programs send an API key as \`X-Api-Key: acp_…\`; it has a role and scopes, and \`x-scope\` names the scope
that an operation needs. People sign in with \`POST /auth/login\` and send the access token as \`Authorization: Bearer …\`;
it lasts 15 minutes, and \`POST /auth/refresh\` gives the next one. Runtimes send their proxy key and the operator sends the
operations token, both as bearer tokens, to paths under \`/internal/v1\`. \`x-credential\` says whose an operation is.

**Errors.** A failure is \`{"detail": "…"}\` with words for people. Only 422 has a list instead: every fault of the request,
each with \`loc\` (path, query, header or body, then field by field), \`msg\` and \`type\`. Checks come in this order: 401
credential, 429 rate limit, 403 scope or role, 422 shape, 404 not there or not yours, 409 state. Unknown fields of a body are
ignored. A query parameter that is given twice, or a text with a NUL or a lone surrogate, is refused with 422; a body over
1 MiB with 413.

**Paging.** Lists take \`page\`, from 1, and \`per_page\`, at most 100, and answer \`items\`, \`page\`, \`per_page\` and \`total\`,
newest first. Where an operation differs, its description says how.

**Changing.** \`PUT\` and \`PATCH\` change only what is supplied; \`null\` clears an optional field. What takes time answers 202
with a task, which \`GET /v1/tasks/{task_id}\` follows.

**Idempotency.** Where a body has \`idempotency_key\`, a request that is sent again with the same key does nothing twice and
answers with what the first one made. \`PUT\` and \`DELETE\` may always be sent again.

**Rate limits.** Each credential has a number of requests per window; \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` (in
seconds) and the IETF’s \`RateLimit\` and \`RateLimit-Policy\` tell how many are left. Past the limit comes 429 with
\`Retry-After\`.

**Ids and times.** Ids are UUIDs. Times are UTC with milliseconds, as \`2026-01-31T09:30:00.000Z\`. Every response has an
\`X-Request-Id\`; name it when you ask for help.`;
