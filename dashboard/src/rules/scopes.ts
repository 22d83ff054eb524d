type Verb = 'read' | 'write' | 'delete';

export const VERBS: readonly Verb[] = ['read', 'write', 'delete'];

interface Resource {
  slug: string;
  words: string;
  verbs: readonly Verb[];
}

const all = (slug: string, words: string): Resource => ({ slug, words, verbs: VERBS });
const some = (slug: string, words: string, ...verbs: Verb[]): Resource => ({ slug, words, verbs });

/** All that a key may do: the service knows no other scopes. */
export const RESOURCES: readonly Resource[] = [
  some('approvals', 'Approvals', 'read', 'write'),
  all('channels', 'Channels'),
  all('connections', 'Connections'),
  all('conversations', 'Conversations'),
  all('customers', 'Customers'),
  all('identities', 'Identities of senders'),
  all('instances', 'Agents'),
  some('instance-creds', 'Credentials of agents', 'write'),
  some('instance-logs', 'Logs of agents', 'read'),
  all('pins', 'PINs'),
  all('primitives', 'Primitives'),
  all('recipes', 'Recipes, rules and flows'),
  all('staff', 'Staff, shifts and hours'),
  all('models', 'Model providers'),
  some('usage', 'Usage and limits', 'read'),
  all('events', 'Events'),
  some('audit', 'Audit', 'read'),
  all('keys', 'API keys'),
  all('users', 'Users'),
];

/** As few as say the same: `recipes:*` for all verbs of a resource. */
export const shortened = (chosen: ReadonlySet<string>): readonly string[] =>
  RESOURCES.flatMap(({ slug, verbs }) => {
    const of = verbs.map((verb) => `${slug}:${verb}`).filter((scope) => chosen.has(scope));
    return of.length === verbs.length && of.length > 1 ? [`${slug}:*`] : of;
  });

/** In words: "Everything", "Recipes, rules and flows: read". */
export function scopeWords(scope: string): string {
  if (scope === '*') return 'Everything';
  const [slug = '', verb] = scope.split(':');
  const words = RESOURCES.find((each) => each.slug === slug)?.words ?? slug;
  return verb === '*' ? `${words}: all` : `${words}: ${verb}`;
}
