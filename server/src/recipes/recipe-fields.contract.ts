import Type, { type Static, type TOptional, type TUnsafe } from 'typebox';
import { HostingMode } from '../catalogue/hosting.contract.ts';
import { named } from '../platform/contract/named.ts';
import {
  about,
  Clearable,
  Int,
  Nullable,
  OpenElement,
  OpenObject,
  Text,
  Uuid,
} from '../platform/contract/shapes.ts';
import { DOCUMENT_LIMIT } from '../platform/json/document-limit.ts';

const Sidecar = named(
  'Sidecar',
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 200 },
      port: Nullable(Type.Integer({ minimum: 1, maximum: 65_535 })),
      path: Nullable(Text(2000)),
      health: {},
      runtime: Nullable(Text(200)),
    },
    required: ['name'],
    additionalProperties: true,
  }),
);

const Elements = Type.Array(OpenElement);
/** A recipe's size limits its lists. */
const maxItems = DOCUMENT_LIMIT.values;

/** From five minutes to thirty days. */
export const IDLE_MINUTES = { minimum: 5, maximum: 43_200 } as const;

/** Shapes in requests and responses, and the value of an unset field. */
const KINDS = {
  /** As long as a request's body. */
  text: { request: Text(1024 * 1024), answer: Nullable(Type.String()), unset: null },
  label: { request: Text(200), answer: Nullable(Type.String()), unset: null },
  uuid: { request: Uuid, answer: Nullable(Uuid), unset: null },
  object: { request: OpenObject, answer: Nullable(OpenObject), unset: null },
  list: { request: Type.Array(OpenElement, { maxItems }), answer: Elements, unset: [] },
  sidecars: { request: Type.Array(Sidecar, { maxItems }), answer: Elements, unset: [] },
  hosting_mode: { request: HostingMode, answer: HostingMode, unset: 'dedicated' },
  capacity: { request: Int({ minimum: 1, maximum: 1000 }), answer: Type.Integer(), unset: 50 },
  idle_minutes: { request: Int(IDLE_MINUTES), answer: Nullable(Type.Integer()), unset: null },
} as const;

interface Declaration {
  /** In requests, responses and the table. */
  name: string;
  kind: keyof typeof KINDS;
  says: string;
  /** Part of an agent's configuration: composed with overrides and stored with each instance. */
  composed?: true;
  /** Copied, with redaction, when a recipe is saved from an instance (specification 4.1, behaviour 5). */
  saved?: true;
}

const slugs = (what: string) =>
  `${what}. Slugs, or objects with one (\`slug\`, else \`type\`, \`name\` or \`id\`); list_primitives has the approved ones`;

/**
 * Fields that a request may set and clear (specification 2.1). Shapes, columns, defaults, composition and redaction
 * derive from this list.
 */
export const RECIPE_FIELDS = [
  { name: 'description', kind: 'text', says: 'What the recipe is for, to choose it by' },
  {
    name: 'system_prompt',
    kind: 'text',
    composed: true,
    saved: true,
    says: 'What the agent is told before a conversation',
  },
  {
    name: 'manifest_id',
    kind: 'label',
    composed: true,
    says: 'The kind of runtime, of list_manifests; `reference` applies where nothing is said or there is no such manifest',
  },
  {
    name: 'hosting_mode',
    kind: 'hosting_mode',
    says: 'Whether an instance serves one customer (dedicated, where nothing is said) or several (shared)',
  },
  {
    name: 'shared_node_capacity',
    kind: 'capacity',
    says: 'How many deployments a shared instance takes; 50 where nothing is said',
  },
  {
    name: 'onboarding_flow_id',
    kind: 'uuid',
    composed: true,
    says: 'The onboarding flow whose steps new senders are asked first',
  },
  {
    name: 'rules_template_id',
    kind: 'uuid',
    composed: true,
    says: 'The rules template that a deploy copies to a customer who has no rules',
  },
  {
    name: 'approval_rules',
    kind: 'object',
    composed: true,
    says: 'What a person or a PIN has to approve: `require`, a list of {tool, by: person or pin, expires_minutes}',
  },
  {
    name: 'channel_config',
    kind: 'object',
    composed: true,
    says: 'What is said and when: `greeting`, `business_hours`, `away_message`, `burst_seconds`, `echo_minutes`',
  },
  {
    name: 'compliance_config',
    kind: 'object',
    composed: true,
    saved: true,
    says: '`retention_days`, `disclaimer` (below the agent’s first answer) and `pin_enforced`',
  },
  {
    name: 'data_access',
    kind: 'object',
    composed: true,
    saved: true,
    says: 'What data the agent may reach; `folder_ids`, or `drive.folder_ids`, are the only folders of the drive that it reads',
  },
  {
    name: 'model_policy',
    kind: 'object',
    composed: true,
    saved: true,
    says: 'Which model answers: `model`, `fallback_models`, `allowed_models`, `temperature`, `max_output_tokens` and `budget`; models are held against the approved ones',
  },
  {
    name: 'module_config',
    kind: 'object',
    composed: true,
    says: 'By the slug of a skill: {"enabled": false} turns it off',
  },
  {
    name: 'voice_config',
    kind: 'object',
    composed: true,
    saved: true,
    says: 'How the agent speaks, for a runtime whose manifest names the field; the built-in one does nothing with it',
  },
  {
    name: 'channel_types',
    kind: 'list',
    composed: true,
    saved: true,
    says: slugs('The channels that the agent answers in, as "chatapp"'),
  },
  {
    name: 'connection_requirements',
    kind: 'list',
    composed: true,
    saved: true,
    says: 'What the customer has to be connected to before a deploy: objects {"provider": "chatapp", "name": …, "optional": true}; only `provider` is needed, and what is optional never blocks',
  },
  {
    name: 'mcp_servers',
    kind: 'list',
    composed: true,
    saved: true,
    says: 'The MCP servers whose tools the agent may use: objects {"name": …, "url": …, "provider": …, "allowed_tools": […], "timeout_seconds": …}',
  },
  {
    name: 'skills',
    kind: 'list',
    composed: true,
    saved: true,
    says: slugs(
      'What the agent can do, as "staff_query"; {"slug": "timesheet", "pin_required": true} asks for a PIN first',
    ),
  },
  {
    name: 'trigger_templates',
    kind: 'list',
    composed: true,
    says: 'When the agent speaks by itself: `name`, `schedule` (cron), `prompt`, `to` (an address), `template`',
  },
  {
    name: 'workflow_slugs',
    kind: 'list',
    composed: true,
    saved: true,
    says: slugs('Workflows, for a runtime whose manifest names the field; the built-in one has none'),
  },
  {
    name: 'idle_minutes',
    kind: 'idle_minutes',
    composed: true,
    says: 'After so many minutes without message or task its runtime sleeps, and the next message wakes it; null: it never sleeps',
  },
  {
    name: 'sidecars',
    kind: 'sidecars',
    composed: true,
    says: 'Processes beside the agent, which no engine starts yet; only `name` is needed',
  },
] as const satisfies readonly Declaration[];

type RecipeField = (typeof RECIPE_FIELDS)[number];
type Kinds = typeof KINDS;
type Answered<F extends RecipeField> = Static<Kinds[F['kind']]['answer']>;

/** As stored and in responses. */
export type RecipeFieldValues = { [F in RecipeField as F['name']]: Answered<F> };

/** Also the value after null cleared the field. */
export const unsetValue = <Name extends RecipeField['name']>(name: Name): RecipeFieldValues[Name] =>
  UNSET[name];

const byName = <T>(valueOf: (field: RecipeField) => T): Record<string, T> =>
  Object.fromEntries(RECIPE_FIELDS.map((field) => [field.name, valueOf(field)]));

const UNSET = byName(({ kind }) => KINDS[kind].unset) as unknown as RecipeFieldValues;

/** In requests. */
export const settableProperties = byName(({ kind, says }) =>
  about(Clearable(KINDS[kind].request), says),
) as unknown as {
  [F in RecipeField as F['name']]: TOptional<TUnsafe<Static<Kinds[F['kind']]['request']> | null>>;
};

/** In responses. */
export const answeredProperties = byName(({ kind }) => KINDS[kind].answer) as unknown as {
  [F in RecipeField as F['name']]: Kinds[F['kind']]['answer'];
};

/** Fields of an agent's configuration; the others describe the recipe. */
export type ConfigurationField = Extract<RecipeField, { composed: true }>;
export const CONFIGURATION_FIELDS = RECIPE_FIELDS.filter(
  (field): field is ConfigurationField => 'composed' in field,
);

/**
 * With every field present: `{ system_prompt: string
 * null, …, skills: unknown[], … }`.
 */
export type AgentConfiguration = { [F in ConfigurationField as F['name']]: Answered<F> };

type SavedField = Extract<RecipeField, { saved: true }>;
/** Copied when a recipe is saved from an instance. */
export const SAVED_FIELDS = RECIPE_FIELDS.filter((field): field is SavedField => 'saved' in field).map(
  ({ name }) => name,
);
