import { createHmac } from 'node:crypto';
import { type Call, jsonCall } from './call.ts';
import { apiKey, RECIPE, tenantId } from './data.ts';

export interface Dialect {
  getRecipe(tenant: number, recipe: string): Call;
  listRecipes(tenant: number): Call;
  createRecipe(tenant: number): Call;
}

export const restDialect: Dialect = {
  getRecipe: (tenant, recipe) => ({ method: 'GET', path: `/v1/recipes/${recipe}`, headers: keyOf(tenant) }),
  listRecipes: (tenant) => ({ method: 'GET', path: '/v1/recipes', headers: keyOf(tenant) }),
  createRecipe: (tenant) => jsonCall('POST', '/v1/recipes', keyOf(tenant), RECIPE),
};

const keyOf = (tenant: number) => ({ 'x-api-key': apiKey(tenant) });

/** PostgREST uses a JSON Web Token (HS256) instead of a key. */
export function postgrestDialect(secret: string): Dialect {
  const tokens = new Map<number, string>();
  const headersOf = (tenant: number) => {
    let token = tokens.get(tenant);
    if (!token)
      tokens.set(tenant, (token = signToken({ role: 'bench_web', tenant_id: tenantId(tenant) }, secret)));
    return { authorization: `Bearer ${token}` };
  };
  const single = { accept: 'application/vnd.pgrst.object+json' };
  return {
    getRecipe: (tenant, recipe) => ({
      method: 'GET',
      path: `/recipes?id=eq.${recipe}&deleted_at=is.null`,
      headers: { ...headersOf(tenant), ...single },
    }),
    listRecipes: (tenant) => ({
      method: 'GET',
      path: '/recipes?deleted_at=is.null&order=is_platform_template,created_at.desc,id',
      headers: headersOf(tenant),
    }),
    createRecipe: (tenant) =>
      jsonCall(
        'POST',
        '/recipes',
        { ...headersOf(tenant), ...single, prefer: 'return=representation' },
        { ...RECIPE, tenant_id: tenantId(tenant) },
      ),
  };
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function signToken(claims: object, secret: string): string {
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}
