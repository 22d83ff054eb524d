/** Contract, section 3. */
export const scopeResources = [
  'recipes',
  'instances',
  'customers',
  'staff',
  'pins',
  'connections',
  'identities',
  'primitives',
  'channels',
  'models',
  'keys',
  'users',
  'audit',
  'instance-creds',
  'conversations',
  'instance-logs',
  'approvals',
  'usage',
  'events',
] as const;

export const scopeVerbs = ['read', 'write', 'delete'] as const;

export type Scope = `${(typeof scopeResources)[number]}:${(typeof scopeVerbs)[number]}`;

/** `resource:verb`, `resource:*` or `*`. */
export const scopePattern = '^(\\*|[a-z][a-z0-9_-]{0,39}:(\\*|[a-z][a-z0-9_-]{0,39}))$';

/** `wanted` may itself be a wildcard. */
export function holdsScope(held: readonly string[], wanted: string): boolean {
  const resource = wanted.slice(0, wanted.indexOf(':'));
  return held.some(
    (scope) => scope === '*' || scope === wanted || (wanted !== '*' && scope === `${resource}:*`),
  );
}
