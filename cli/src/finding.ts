import type { ControlPlane, Recipe, Region, Tier } from '@agent-control-plane/sdk';
import { CliError, EXIT, usageError } from './errors.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const isUuid = (text: string): boolean => UUID.test(text);

/** Finds a recipe by id or name; the tenant's own come before the platform's. Throws CliError for none or several. */
export async function findRecipe(acp: ControlPlane, wanted: string): Promise<Recipe> {
  if (isUuid(wanted)) return acp.recipes.get(wanted);
  const named = (await acp.recipes.list()).filter(({ name }) => name === wanted);
  const own = named.filter(({ is_platform_template }) => !is_platform_template);
  return only('recipe', wanted, own.length > 0 ? own : named);
}

/** Finds a customer by id or e-mail address, without case. */
export async function findCustomerId(acp: ControlPlane, wanted: string): Promise<string> {
  if (isUuid(wanted)) return wanted;
  const search = wanted.toLowerCase();
  for await (const { id, email } of acp.customers.listAll({ search }))
    if (email?.toLowerCase() === search) return id;
  throw missing('customer', wanted);
}

/** Finds a tier by id or name; without one, the only open tier. */
export async function findTier(acp: ControlPlane, wanted: string | undefined): Promise<string> {
  if (wanted !== undefined && isUuid(wanted)) return wanted;
  const tiers: Tier[] = [];
  for await (const tier of acp.tiers.listAll()) tiers.push(tier);
  if (wanted !== undefined)
    return only(
      'tier',
      wanted,
      tiers.filter(({ name }) => name === wanted),
    ).id;
  return onlyOpen('tier', tiers).id;
}

/** The given region, or the only open one. */
export async function findRegion(acp: ControlPlane, wanted: string | undefined): Promise<string> {
  if (wanted !== undefined) return wanted;
  const regions: Region[] = [];
  for await (const region of acp.regions.listAll()) regions.push(region);
  return onlyOpen('region', regions).id;
}

function only<Row extends { id: string }>(kind: string, wanted: string, rows: readonly Row[]): Row {
  const [row, ...others] = rows;
  if (!row) throw missing(kind, wanted);
  if (others.length === 0) return row;
  const ids = rows.map(({ id }) => id).join(', ');
  throw new CliError(
    EXIT.conflict,
    `${rows.length} ${kind}s have the name ${JSON.stringify(wanted)}`,
    `use an id: ${ids}`,
  );
}

function onlyOpen<Row extends { id: string; name: string; is_active: boolean }>(
  kind: string,
  rows: readonly Row[],
): Row {
  const open = rows.filter(({ is_active }) => is_active);
  const [row, ...others] = open;
  if (row && others.length === 0) return row;
  if (!row) throw new CliError(EXIT.notFound, `there is no ${kind} yet`, '"agentctl bootstrap" creates one');
  throw usageError(`choose a --${kind}`, open.map(({ id, name }) => `${id} (${name})`).join(', '));
}

const missing = (kind: string, wanted: string) =>
  new CliError(EXIT.notFound, `there is no ${kind} ${JSON.stringify(wanted)}`);
