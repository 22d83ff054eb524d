import { needsOf } from './needs.ts';
import { isObject, isSame, type JsonObject, valueAt } from './recipe-patch.ts';
import { memberOf, slugsOf } from './slugs.ts';

export interface PermissionChange {
  /** more: it may do what it could not; less: it may no longer; other: neither. */
  is: 'more' | 'less' | 'other';
  words: string;
}

const more = (words: string): PermissionChange => ({ is: 'more', words });
const less = (words: string): PermissionChange => ({ is: 'less', words });
const other = (words: string): PermissionChange => ({ is: 'other', words });

/** In sentences, how another configuration changes what an agent may do; the gains first. */
export function permissionChanges(before: JsonObject, after: JsonObject): readonly PermissionChange[] {
  const changes = [
    ...slugChanges(before.skills, after.skills, (slug) => `the skill ${slug}`, 'may use', 'loses'),
    ...pinChanges(before.skills, after.skills),
    ...slugChanges(before.channel_types, after.channel_types, String, 'answers on', 'no longer answers on'),
    ...slugChanges(
      before.workflow_slugs,
      after.workflow_slugs,
      (slug) => `the workflow ${slug}`,
      'may start',
      'may no longer start',
    ),
    ...serverChanges(before, after),
    ...credentialChanges(before, after),
    ...ruleChanges(before, after),
    ...dataChanges(before, after),
    ...modelChanges(before, after),
  ];
  const order = ['more', 'less', 'other'];
  return changes.toSorted((a, b) => order.indexOf(a.is) - order.indexOf(b.is));
}

/** Those of one list that the other lacks. */
const missingIn = (others: readonly string[], all: readonly string[]) =>
  all.filter((each) => !others.includes(each));

function slugChanges(
  before: unknown,
  after: unknown,
  nameOf: (slug: string) => string,
  gains: string,
  loses: string,
): PermissionChange[] {
  const [old, now] = [slugsOf(before), slugsOf(after)];
  return [
    ...missingIn(old, now).map((slug) => more(`It ${gains} ${nameOf(slug)}.`)),
    ...missingIn(now, old).map((slug) => less(`It ${loses} ${nameOf(slug)}.`)),
  ];
}

const asksPin = (list: unknown, slug: string) => memberOf(list, slug, 'pin_required') === true;

function pinChanges(before: unknown, after: unknown): PermissionChange[] {
  const kept = slugsOf(after).filter((slug) => slugsOf(before).includes(slug));
  return kept.flatMap((slug) => {
    if (asksPin(before, slug) === asksPin(after, slug)) return [];
    return asksPin(after, slug)
      ? [less(`${slug} asks for a PIN first.`)]
      : [more(`${slug} no longer asks for a PIN.`)];
  });
}

const elementsOf = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

const byText = (list: unknown, key: string) =>
  new Map(elementsOf(list).map((element) => [textOf(element[key]), element]));

const hostOf = (server: JsonObject) => {
  const url = textOf(server.url);
  return URL.canParse(url) ? new URL(url).host : url;
};

function serverChanges(before: JsonObject, after: JsonObject): PermissionChange[] {
  const [old, now] = [byText(before.mcp_servers, 'name'), byText(after.mcp_servers, 'name')];
  const lost = missingIn([...now.keys()], [...old.keys()]).map((name) =>
    less(`It no longer reaches the tools of ${name}.`),
  );
  const others = [...now].flatMap(([name, server]) => {
    const was = old.get(name);
    if (!was) return [more(`It reaches the tools of ${name} at ${hostOf(server)}.`)];
    return [
      ...(was.url === server.url
        ? []
        : [more(`${name} is at ${hostOf(server)}, and no longer at ${hostOf(was)}.`)]),
      ...(isSame(was.allowed_tools, server.allowed_tools) ? [] : [toolsWords(name, server.allowed_tools)]),
    ];
  });
  return [...lost, ...others];
}

const toolsWords = (name: string, allowed: unknown) =>
  Array.isArray(allowed)
    ? other(`Of ${name} it may call ${allowed.map(String).join(', ') || 'nothing'} alone.`)
    : more(`It may call all tools of ${name}.`);

const providersOf = (config: JsonObject) => [...new Set(needsOf(config).map(({ provider }) => provider))];

function credentialChanges(before: JsonObject, after: JsonObject): PermissionChange[] {
  const [old, now] = [providersOf(before), providersOf(after)];
  return [
    ...missingIn(old, now).map((each) => more(`It gets the customer’s credentials of ${each}.`)),
    ...missingIn(now, old).map((each) => less(`It no longer gets the credentials of ${each}.`)),
  ];
}

const deciderOf = (rule: JsonObject) => (rule.by === 'pin' ? 'a PIN' : 'a person');

const rulesOf = (config: JsonObject) => byText(valueAt(config, ['approval_rules', 'require']), 'tool');

function ruleChanges(before: JsonObject, after: JsonObject): PermissionChange[] {
  const [old, now] = [rulesOf(before), rulesOf(after)];
  return [
    ...[...old.keys()]
      .filter((tool) => !now.has(tool))
      .map((tool) => more(`It calls ${tool} without asking.`)),
    ...[...now].flatMap(([tool, rule]) => {
      const was = old.get(tool);
      if (!was) return [less(`${tool} waits for ${deciderOf(rule)} first.`)];
      return isSame(was, rule) ? [] : [other(`${tool} waits for ${deciderOf(rule)}, by another rule.`)];
    }),
  ];
}

function dataChanges(before: JsonObject, after: JsonObject): PermissionChange[] {
  const isOther = (...path: string[]) => !isSame(valueAt(before, path), valueAt(after, path));
  const days = valueAt(after, ['compliance_config', 'retention_days']);
  return [
    ...(isOther('data_access') ? [more('It reads other data of the customer than before.')] : []),
    ...(isOther('compliance_config', 'retention_days')
      ? [
          other(
            typeof days === 'number' ? `Conversations are kept for ${days} days.` : 'Conversations are kept.',
          ),
        ]
      : []),
  ];
}

const modelOf = (config: JsonObject) => valueAt(config, ['model_policy', 'model']);
const budgetOf = (config: JsonObject) => valueAt(config, ['model_policy', 'budget', 'monthly_cost']);

function modelChanges(before: JsonObject, after: JsonObject): PermissionChange[] {
  const [was, is] = [modelOf(before), modelOf(after)];
  const budget = budgetOf(after);
  return [
    ...(was === is ? [] : [other(`It answers with ${textOf(is) || 'the service’s own model'}.`)]),
    ...(isSame(budgetOf(before), budget)
      ? []
      : [
          other(
            typeof budget === 'number' ? `It may spend $${budget} a month.` : 'Its spending has no limit.',
          ),
        ]),
  ];
}
