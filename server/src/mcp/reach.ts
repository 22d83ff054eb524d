import type { Operation } from '../platform/contract/operation.ts';

/** Over MCP: `models` may call it; only `people` may; or `nobody` sees it. */
type Reach = 'models' | 'people' | 'nobody';

/** Other credentials belong to runtimes, the operator or a person's own login. */
const OF_TENANTS: readonly string[] = ['tenant', 'admin', 'admin_user'];

export function reachOf(operation: Operation): Reach {
  const { credential, rawBody, mcp, produces = ['application/json'] } = operation;
  if (!OF_TENANTS.includes(credential) && mcp === undefined) return 'nobody';
  if (rawBody !== undefined || !produces.includes('application/json')) return 'nobody';
  return reasonForPeople(operation) === undefined ? 'models' : 'people';
}

/** undefined: a model may call it. */
export function reasonForPeople(operation: Operation): string | undefined {
  const { mintsCredential, forPeople, params, query, body, responses } = operation;
  if (forPeople) return 'is the decision of a person';
  const takes = [params, query, body].some(holdsSecret);
  if (mintsCredential || takes || Object.values(responses).some(holdsSecret))
    return `${takes ? 'takes' : 'gives'} a credential`;
  return undefined;
}

/** At any depth; see `secret`. */
function holdsSecret(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return 'x-secret' in schema || Object.values(schema).some(holdsSecret);
}
