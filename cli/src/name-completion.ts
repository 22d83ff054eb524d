import type { ControlPlane } from '@agent-control-plane/sdk';
import { Cli } from './cli.ts';
import { findCustomerId } from './finding.ts';
import { ProfileStore } from './profiles.ts';
import type { GlobalFlags } from './settings.ts';
import type { Terminal } from './terminal.ts';

/** A shell waits for it at a key press. */
const TIMEOUT_MS = 4000;
const MOST = 100;

interface Asked {
  /** The word so far. */
  readonly word: string;
  /** The customer that an earlier word names. */
  readonly customer: string | undefined;
}

type Names = (cli: Cli, asked: Asked) => Promise<readonly (string | null)[]>;

const ofTenant =
  (list: (acp: ControlPlane, asked: Asked) => Promise<readonly (string | null)[]>): Names =>
  async (cli, asked) =>
    list(await cli.tenant({ timeoutMs: TIMEOUT_MS, retries: 0 }), asked);

const page = { per_page: MOST };

/** By the name of an argument, or of an option without its dashes. */
const NAMES: Readonly<Record<string, Names>> = {
  profile: async ({ env }) => Object.keys((await new ProfileStore(env).read()).profiles),
  instance: ofTenant(async (acp, { word }) => {
    const { items } = await acp.instances.list({ ...page, live: true, ...(word && { search: word }) });
    return items.map(({ hostname }) => hostname);
  }),
  customer: ofTenant(async (acp, { word }) => {
    const { customers } = await acp.customers.list({ ...page, ...(word && { search: word }) });
    return customers.map(({ email }) => email);
  }),
  recipe: ofTenant(async (acp, { word }) =>
    (await acp.recipes.list({ view: 'summary', ...(word && { search: word }) }))
      .slice(0, MOST)
      .map(({ name }) => name),
  ),
  conversation: ofTenant(async (acp) =>
    (await acp.conversations.list(page)).items.map(({ external_id }) => external_id),
  ),
  number: ofTenant(async (acp) =>
    (await acp.channels.listEndpoints(page)).items.map(({ phone_number_id }) => phone_number_id),
  ),
  tier: ofTenant(async (acp) => (await acp.tiers.list(page)).items.map(({ name }) => name)),
  region: ofTenant(async (acp) => (await acp.regions.list(page)).items.map(({ id }) => id)),
  identity: ofTenant(async (acp, { customer }) => {
    if (customer === undefined) return [];
    const { items } = await acp.identities.list(await findCustomerId(acp, customer), page);
    return items.map(({ external_id }) => external_id);
  }),
  person: async (cli, { word, customer }) => {
    if (customer === undefined) return [];
    const acp = await cli.user({ timeoutMs: TIMEOUT_MS, retries: 0 });
    const query = { ...page, ...(word && { search: word }) };
    const { staff } = await acp.staff.listCustomerStaff(await findCustomerId(acp, customer), query);
    return staff.map(({ name }) => name);
  },
};

/** Names that the server knows, or none: without a server or a credential nothing is said. */
export async function namesFor(
  what: string,
  asked: Asked,
  { env, terminal, flags }: { env: Cli['env']; terminal: Terminal; flags: GlobalFlags },
): Promise<string[]> {
  const list = Object.hasOwn(NAMES, what) ? NAMES[what] : undefined;
  if (!list) return [];
  try {
    const found = await list(new Cli(() => ({ ...flags, quiet: true }), env, terminal), asked);
    // A name with a line break cannot be a line of its own.
    return [...new Set(found)].filter((name): name is string => name !== null && !/\p{Cc}/u.test(name));
  } catch {
    return [];
  }
}
