import type {
  ChannelEndpoint,
  ControlPlane,
  Customer,
  CustomerStaffRecord,
  Identity,
  Instance,
  OpenInvitation,
  Recipe,
  Region,
  Tier,
} from '@agent-control-plane/sdk';
import { CliError, EXIT, usageError } from './errors.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const isUuid = (text: string): boolean => UUID.test(text);

/** By id or name; own recipes come before the platform's. Throws CliError for none or several. */
export async function findRecipe(acp: ControlPlane, wanted: string): Promise<Pick<Recipe, 'id' | 'name'>> {
  if (isUuid(wanted)) return acp.recipes.get(wanted);
  const listed = await acp.recipes.list({ search: wanted, view: 'summary' });
  const named = listed.filter(({ name }) => name === wanted);
  const own = named.filter(({ is_platform_template }) => !is_platform_template);
  return only('recipe', wanted, own.length > 0 ? own : named);
}

/** Like findRecipe, with all its fields. */
export const readRecipe = async (acp: ControlPlane, wanted: string): Promise<Recipe> =>
  acp.recipes.get(isUuid(wanted) ? wanted : (await findRecipe(acp, wanted)).id);

/** With all their fields. */
export async function listRecipes(acp: ControlPlane, search?: string): Promise<Recipe[]> {
  const listed = await acp.recipes.list(search ? { search } : {});
  return listed.filter((recipe) => 'tenant_id' in recipe);
}

/** By id, e-mail address or company name, ignoring case. Throws CliError for none or several. */
export async function findCustomerId(acp: ControlPlane, wanted: string): Promise<string> {
  if (isUuid(wanted)) return wanted;
  const name = wanted.toLowerCase();
  const named: Customer[] = [];
  for await (const customer of acp.customers.listAll({ q: wanted })) {
    if (customer.email?.toLowerCase() === name) return customer.id;
    if (customer.company_name?.toLowerCase() === name) named.push(customer);
  }
  return only('customer', wanted, named).id;
}

/** By id or hostname. Running instances come first, terminated ones last. */
export async function findInstance(acp: ControlPlane, wanted: string): Promise<Instance> {
  if (isUuid(wanted)) return acp.instances.get(wanted);
  const hostname = wanted.toLowerCase();
  const named: Instance[] = [];
  for await (const each of acp.instances.listAll({ search: hostname }))
    if (each.hostname.toLowerCase() === hostname) named.push(each);
  const running = named.filter(({ status }) => status === 'running');
  const living = named.filter(({ status }) => status !== 'terminated');
  // A terminated one at least explains that the agent is gone.
  const preferred = [running, living, named.slice(0, 1)].find(({ length }) => length > 0) ?? [];
  return only('instance', wanted, preferred);
}

/** By the channel's id of the number, or the row's id. */
export async function findEndpoint(acp: ControlPlane, wanted: string): Promise<ChannelEndpoint> {
  for await (const each of acp.channels.listAllEndpoints(isUuid(wanted) ? {} : { search: wanted }))
    if (each.id === wanted || each.phone_number_id === wanted) return each;
  throw missing('number', wanted, '"agentctl channels list" shows those that there are');
}

/** By address, with or without a phone number's plus, or by id. */
export async function findIdentity(
  acp: ControlPlane,
  customer_id: string,
  wanted: string,
): Promise<Pick<Identity, 'id'>> {
  if (isUuid(wanted)) return { id: wanted };
  const { items } = await acp.identities.list(customer_id, { external_id: wanted });
  if (items.length === 0) throw missing('identity', wanted, '"agentctl identities create" adds one');
  return only('identity', wanted, items);
}

/**
 * By id, name (ignoring case) or external id.
 *
 * @param asUser lists the staff, which takes no API key; an id needs no list
 */
export async function findPersonId(
  asUser: () => Promise<ControlPlane>,
  customer_id: string,
  wanted: string,
): Promise<string> {
  if (isUuid(wanted)) return wanted;
  const name = wanted.toLowerCase();
  const named: CustomerStaffRecord[] = [];
  for await (const each of (await asUser()).staff.listAllCustomerStaff(customer_id, { search: wanted }))
    if (each.external_id === wanted || each.name.toLowerCase() === name) named.push(each);
  return only('person', wanted, named).id;
}

/** Like findInstance, but does not look up an id. */
export const findInstanceId = async (acp: ControlPlane, wanted: string): Promise<string> =>
  isUuid(wanted) ? wanted : (await findInstance(acp, wanted)).id;

/** By id, or the latest one with a sender's address, with or without a phone number's plus. */
export async function findConversationId(acp: ControlPlane, wanted: string): Promise<string> {
  if (isUuid(wanted)) return wanted;
  const address = wanted.replace(/^\+/, '');
  for await (const { id, addresses } of acp.conversations.listAll({ search: address }))
    if (addresses.some((each) => each.replace(/^\+/, '') === address)) return id;
  throw missing('conversation with', wanted, '"agentctl conversations list" shows those that there are');
}

/** By id, which is not looked up, or e-mail address. */
export async function findInvitation(acp: ControlPlane, wanted: string): Promise<{ readonly id: string }> {
  if (isUuid(wanted)) return { id: wanted };
  const email = wanted.toLowerCase();
  const open: OpenInvitation[] = [];
  for await (const each of acp.users.listAllInvitations())
    if (each.email.toLowerCase() === email) open.push(each);
  if (open.length === 0)
    throw missing('invitation of', wanted, '"agentctl users invitations" shows those that there are');
  return only('invitation', wanted, open);
}

type Named = { readonly id: string; readonly name: string };

/** @returns undefined for none. Throws CliError for several. */
export async function findNamedOrNone<Row extends Named>(
  kind: string,
  wanted: string,
  rows: AsyncIterable<Row>,
): Promise<Row | undefined> {
  const named: Row[] = [];
  for await (const row of rows) if (row.name === wanted) named.push(row);
  return named.length === 0 ? undefined : only(kind, wanted, named);
}

/** By id, which is not looked up, or name. Throws CliError for none or several. */
export async function findNamed(
  kind: string,
  wanted: string,
  rows: AsyncIterable<Named>,
): Promise<{ readonly id: string }> {
  if (isUuid(wanted)) return { id: wanted };
  const row = await findNamedOrNone(kind, wanted, rows);
  if (!row) throw missing(kind, wanted);
  return row;
}

/** By id or name; by default the only open tier. */
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

/** By default the only open one. */
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
    `${rows.length} ${pluralOf(kind)} have the name ${JSON.stringify(wanted)}`,
    `use an id: ${ids}`,
  );
}

const pluralOf = (kind: string) => `${kind.replace(/y$/, 'ie')}s`;

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

const missing = (kind: string, wanted: string, hint?: string) =>
  new CliError(EXIT.notFound, `there is no ${kind} ${JSON.stringify(wanted)}`, hint);
