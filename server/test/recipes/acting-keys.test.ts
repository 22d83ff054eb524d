import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compose, type RecipeConfiguration } from '../../src/recipes/composition/composition.ts';
import { effectsOf } from '../../src/recipes/composition/effects.ts';
import type { ActingKeys } from '../../src/recipes/fields/acting-key.ts';
import { ELEMENT_KEYS, OBJECT_KEYS } from '../../src/recipes/fields/field-keys.ts';
import { MODEL_POLICY_KEYS } from '../../src/recipes/fields/model-policy.ts';
import { REFERENCE_CAPABILITIES } from '../../src/recipes/manifests.ts';
import { CONFIGURATION_FIELDS, RECIPE_FIELDS } from '../../src/recipes/recipe-fields.contract.ts';

const REPOSITORY = join(import.meta.dirname, '../../..');

type Proof = readonly [file: string, title: string];

const REFERENCE_RUNTIME = 'test/recipe-effects.test.ts';
const READING: Proof = [REFERENCE_RUNTIME, 'lets the agent read files in the folders of data_access alone'];
const TOLD: Proof = [
  REFERENCE_RUNTIME,
  'sends the model system_prompt and the customer’s instructions, and the tools of active skills',
];
const PEOPLE: Proof = [
  REFERENCE_RUNTIME,
  'answers strangers for public skills, and requires a PIN for protected ones',
];
const CONVERSATIONS = 'server/test/conversations/conversations.test.ts';
const GREETS: Proof = [
  CONVERSATIONS,
  'greets first, joins a burst and keeps it together when it is tried again',
];
const CLOSED: Proof = [
  CONVERSATIONS,
  'says once per closed period that it is closed, and forwards together at opening',
];
const POLICY: Proof = [
  'server/test/models/llm.test.ts',
  'gets the policy’s model, or one that the policy allows, within the policy’s limits',
];
const OTHER_MODEL_KEYS: Proof = [
  'server/test/models/llm.test.ts',
  'gets the model that default_model or primary_model names where the policy has no model',
];
const TOOLS = 'server/test/tools/tools.test.ts';
const TOOLS_LISTED: Proof = [TOOLS, 'are listed and called over MCP (%s)'];
const TRIGGERS = 'server/test/dialogue/triggers.test.ts';
const SPEAKS: Proof = [
  TRIGGERS,
  'makes the agent write once in a conversation, also when the sender has never written',
];
const SPEAKS_TO: Proof = [TRIGGERS, 'reaches a worker who has verified the address, and no other one'];
const ONBOARDING = 'server/test/dialogue/onboarding.test.ts';
const DEPLOYS = 'server/test/instances/deployments.test.ts';

/** Tests that fail when nothing acts on a field or key. */
const PROOFS: Readonly<Record<string, Proof>> = {
  hosting_mode: ['server/test/recipes/manifests.test.ts', 'is one of the same manifest and tier'],
  shared_node_capacity: [DEPLOYS, 'fills an instance to its capacity and no further, under concurrency'],
  manifest_id: [REFERENCE_RUNTIME, 'runs the command of the manifest, and a new one after an upgrade'],
  idle_minutes: [
    'server/test/dialogue/sleep.test.ts',
    'an idle runtime sleeps, and the next message wakes it',
  ],
  rules_template_id: ['server/test/recipes/templates.test.ts', 'gives its rules to a customer who has none'],
  onboarding_flow_id: [
    ONBOARDING,
    'is greeted and asked each step, and the agent gets everything as one burst',
  ],
  system_prompt: TOLD,
  'skills[] slug': TOLD,
  'skills[] pin_required': PEOPLE,
  'skills[] public': PEOPLE,
  'channel_types[] slug': [
    'runtime/test/configuration.test.ts',
    'answers in the channels of the configuration, and in the playground always',
  ],
  'module_config <skill>.enabled': TOLD,
  'data_access folder_ids': READING,
  'data_access drive.folder_ids': READING,
  'connection_requirements[] provider': [
    DEPLOYS,
    'lists the missing connections, keeps the key free, and deploys once they are there',
  ],
  'connection_requirements[] name': [
    'server/src/connections/missing-connections.test.ts',
    'matches the name where the requirement has one',
  ],
  'connection_requirements[] optional': [
    'server/src/connections/missing-connections.test.ts',
    'ignores optional requirements and those without a provider',
  ],
  'channel_config greeting': GREETS,
  'channel_config burst_seconds': GREETS,
  'channel_config business_hours': CLOSED,
  'channel_config away_message': CLOSED,
  'channel_config echo_minutes': [
    'server/test/channels/webhook-words.test.ts',
    'count from the last one, for as long as the configuration says',
  ],
  'compliance_config retention_days': [
    CONVERSATIONS,
    'keeps nothing of an answered message where the retention is 0',
  ],
  'compliance_config disclaimer': [ONBOARDING, 'stands below the agent’s first answer, and below no other'],
  'compliance_config pin_enforced': [
    'server/test/provisioning/tasks.test.ts',
    'starts with an enforced PIN policy where the recipe says so',
  ],
  'model_policy model': POLICY,
  'model_policy default_model': OTHER_MODEL_KEYS,
  'model_policy primary_model': OTHER_MODEL_KEYS,
  'model_policy allowed_models': POLICY,
  'model_policy temperature': POLICY,
  'model_policy max_output_tokens': POLICY,
  'model_policy fallback_models': [
    'server/test/models/llm.test.ts',
    'whose model hangs, or breaks off before the first byte, goes to the fallbacks',
  ],
  'model_policy budget': [
    'server/test/models/budgets.test.ts',
    'in money refuses models without a price, and reports 80 and 100 per cent as events',
  ],
  'mcp_servers[] name': TOOLS_LISTED,
  'mcp_servers[] url': TOOLS_LISTED,
  'mcp_servers[] provider': [TOOLS, 'is sent only to the hosts that its connection allows'],
  'mcp_servers[] allowed_tools': [TOOLS, 'are refused where the configuration does not allow them'],
  'mcp_servers[] timeout_seconds': [
    TOOLS,
    'of a server that is down, hangs or lies are missing alone, and the instance tells why',
  ],
  'approval_rules require': [
    'server/test/tools/approvals.test.ts',
    'waits, is called once after the approval, and its outcome reaches the agent',
  ],
  'trigger_templates[] name': SPEAKS_TO,
  'trigger_templates[] schedule': [
    TRIGGERS,
    'follows an upgrade, the customer’s time zone and the customer’s own configuration',
  ],
  'trigger_templates[] prompt': SPEAKS,
  'trigger_templates[] to': SPEAKS_TO,
  'trigger_templates[] template': SPEAKS,
};

/** Neither the built-in runtime nor an engine acts on these values. */
const NOBODY: RecipeConfiguration = {
  voice_config: { tone: 'calm' },
  workflow_slugs: ['onboarding'],
  sidecars: [{ name: 'ocr', runtime: 'python' }],
};

/** For people who choose a recipe. */
const FOR_PEOPLE = ['description'];

function declared(): string[] {
  const below: Record<string, string[]> = {
    skills: ['skills[] slug'],
    channel_types: ['channel_types[] slug'],
    connection_requirements: ['connection_requirements[] provider'],
    module_config: ['module_config <skill>.enabled'],
  };
  for (const [field, keys] of Object.entries<ActingKeys>(OBJECT_KEYS)) {
    below[field] = Object.entries(keys).flatMap(([key, { members }]) =>
      members ? members.map((member) => `${field} ${key}.${member}`) : [`${field} ${key}`],
    );
  }
  for (const [field, keys] of Object.entries(ELEMENT_KEYS)) {
    below[field] = [...(below[field] ?? []), ...Object.keys(keys).map((key) => `${field}[] ${key}`)];
  }
  return RECIPE_FIELDS.flatMap(({ name }) => below[name] ?? [name]);
}

/** The cells of a page's tables by row. */
const tableRows = (page: string) =>
  readFileSync(join(REPOSITORY, 'docs', page), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').slice(1, -1));

/** Words in backticks. */
const codeIn = (cell = '') => [...cell.matchAll(/`([\w.]+)`/g)].map(([, word = '']) => word);

const actingOn = (recipe: RecipeConfiguration) =>
  effectsOf(compose({ platform: {}, recipe }).resolved_config, {
    capabilities: REFERENCE_CAPABILITIES,
    knowsManifest: false,
    rules_templates: new Set(),
    onboarding_flows: new Set(),
  });

describe('every field and key of a recipe', () => {
  it('acts according to a test, or has no effect', () => {
    const known = [...Object.keys(PROOFS), ...Object.keys(NOBODY), ...FOR_PEOPLE];
    expect(declared().toSorted()).toEqual(known.toSorted());
  });

  it.each(Object.entries(PROOFS))('%s has an existing test', (_key, [file, title]) => {
    expect(readFileSync(join(REPOSITORY, file), 'utf8')).toContain(`'${title}'`);
  });

  it.each(Object.entries(NOBODY))('%s has no effect, which is a violation', (field, value) => {
    expect(actingOn({ [field]: value })).toMatchObject({
      effects: { [`/${field}`]: 'nobody' },
      violations: [{ code: 'unsupported', path: `/${field}` }],
    });
  });

  it.each(CONFIGURATION_FIELDS.filter(({ kind }) => kind === 'object').map(({ name }) => name))(
    '%s has no other acting key',
    (field) => {
      expect(actingOn({ [field]: { key_of_nobody: 1 } }).effects).toEqual({ [`/${field}`]: 'nobody' });
    },
  );

  it.each(['skills', 'channel_types', 'connection_requirements', 'mcp_servers', 'trigger_templates'])(
    '%s has elements without other acting keys',
    (field) => {
      const complete = { name: 'n', url: 'https://a.example', schedule: '0 8 * * 1', prompt: 'p', to: 't' };
      const element = {
        ...complete,
        slug: field === 'channel_types' ? 'chatapp' : 'timesheet',
        key_of_nobody: 1,
      };
      const { effects } = actingOn({ [field]: [element] });
      expect(effects[`/${field}/0/key_of_nobody`]).toBe('nobody');
    },
  );
});

describe('the documentation', () => {
  it.each(Object.entries<ActingKeys>(OBJECT_KEYS))('names the acting keys of %s', (field, keys) => {
    const rows = tableRows('recipes.md');
    const first = rows.findIndex(([name]) => name?.trim() === `\`${field}\``);
    const next = rows.findIndex(([name], index) => index > first && name?.trim() !== '');
    const named = rows.slice(first, next).flatMap(([name, words]) => [...codeIn(name), ...codeIn(words)]);
    const known = Object.entries(keys).flatMap(([key, { members }]) =>
      members ? members.map((member) => `${key}.${member}`) : [key],
    );
    expect(named.toSorted()).toEqual([field, ...known].toSorted());
  });

  it('names the keys of model_policy and those for models', () => {
    const rows = tableRows('models.md');
    const first = rows.findIndex(([key]) => key?.includes('`model`'));
    const budget = rows.findIndex(([key]) => key?.includes('`budget`'));
    const named = rows.slice(first, budget + 1).flatMap(([key]) => codeIn(key));
    expect(named.toSorted()).toEqual(Object.keys(MODEL_POLICY_KEYS).toSorted());
    const gap = tableRows('specification-gaps.md').find(([what]) =>
      what?.includes('models of a `model_policy`'),
    );
    const naming = Object.entries(MODEL_POLICY_KEYS).filter(([, { namesModels }]) => namesModels);
    expect(codeIn(gap?.[1]).toSorted()).toEqual(naming.map(([key]) => key).toSorted());
  });
});
