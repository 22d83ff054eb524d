import type { Operation } from '../platform/contract/operation.ts';

/** Reach of an operation over MCP: `models` may call it; `people` have to; `nobody` sees it there. */
export type Reach = 'models' | 'people' | 'nobody';

/** Operations of tenants; the others belong to runtimes, to the operator, or to a person's own login. */
const OF_TENANTS: readonly string[] = ['tenant', 'admin', 'admin_user'];

/** The reach of an operation, from its declaration alone. */
export function reachOf(operation: Operation): Reach {
  const { credential, rawBody, mcp, produces = ['application/json'] } = operation;
  if (!OF_TENANTS.includes(credential) && mcp === undefined) return 'nobody';
  if (rawBody !== undefined || !produces.includes('application/json')) return 'nobody';
  return reasonForPeople(operation) === undefined ? 'models' : 'people';
}

/** The reason why a person has to call an operation; undefined where a model may. */
export function reasonForPeople(operation: Operation): string | undefined {
  const { mintsCredential, forPeople, params, query, body, responses } = operation;
  if (forPeople) return 'is the decision of a person';
  const takes = [params, query, body].some(holdsSecret);
  if (mintsCredential || takes || Object.values(responses).some(holdsSecret))
    return `${takes ? 'takes' : 'gives'} a credential`;
  return undefined;
}

/** True where a shape, or one inside it, is marked by `secret`. */
function holdsSecret(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return 'x-secret' in schema || Object.values(schema).some(holdsSecret);
}
