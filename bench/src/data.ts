import { createHash } from 'node:crypto';

/**
 * All data follows from the numbers of tenants (from 1) and their recipes (from 0), so load generators know every id.
 */
export const RECIPES_PER_TENANT = 50;
/** Recipes are created in these tenants only, so that the lists of the others keep their length. */
export const WRITERS = 20;
/** Ids have twelve digits, so an id is a constant and a number. */
export const ID_BASE = 100_000_000_000;
export const RECIPE_ID_PREFIX = '00000000-0000-4000-8000-';
export const TENANT_ID_PREFIX = '00000000-0000-4000-8001-';

export const tenantId = (tenant: number) => `${TENANT_ID_PREFIX}${ID_BASE + tenant}`;
export const recipeId = (tenant: number, recipe: number) =>
  `${RECIPE_ID_PREFIX}${ID_BASE + tenant * 1000 + recipe}`;
export const apiKey = (tenant: number) => `acp_${String(tenant).padStart(8, '0')}_${'b'.repeat(43)}`;
export const writersAfter = (readers: number): number[] =>
  Array.from({ length: WRITERS }, (_, index) => readers + 1 + index);
export const sha256 = (text: string) => createHash('sha256').update(text).digest();

const SENTENCE =
  'You help the crew leader of a cleaning company to plan shifts and to keep timesheets in order. ';

export const RECIPE = {
  name: 'Crew assistant',
  description: 'Plans shifts, answers questions about them and reminds people of what they forgot.',
  system_prompt: SENTENCE.repeat(5).trim(),
  hosting_mode: 'dedicated',
  approval_rules: { send_message: { requires: 'owner', above: 20 }, change_shift: { requires: 'admin' } },
  channel_config: { chatapp: { greeting: 'Hello! How can I help?', languages: ['en', 'de', 'es', 'pl'] } },
  data_access: { staff: ['read'], shifts: ['read', 'write'], timesheets: ['read', 'write'] },
  model_policy: { allowed: ['small', 'large'], default: 'small', max_tokens: 2048, temperature: 0.2 },
  channel_types: ['chatapp'],
  connection_requirements: [{ provider: 'drive', name: 'Documents', required: true }],
  mcp_servers: [{ slug: 'calendar', url: 'https://calendar.example.com/mcp' }],
  skills: ['my_shifts', 'my_timesheets', 'log_hours', 'who_can', 'find_file'],
  workflow_slugs: ['weekly-plan', 'timesheet-reminder'],
} as const;

/** Limits must not affect the load. */
export const NO_LIMITS = Object.fromEntries(
  ['instances', 'recipes', 'customers', 'staff', 'channel_endpoints', 'starting', 'sender_messages'].map(
    (name) => [name, 1e9],
  ),
);
