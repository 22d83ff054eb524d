import { THREE_PEOPLE } from '../rules/first-run.ts';
import { acp } from '../session.ts';

export interface FirstAgent {
  recipe_id: string;
  company_name: string;
  hostname: string;
  with_people: boolean;
  email: string;
}

/** One operation of the first run. */
export interface Done {
  what: string;
  operation: string;
  command: string;
  ms: number;
}

export interface Running {
  instance_id: string;
  identity_id: string;
  customer_id: string;
}

const READY_MS = 120_000;
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * From nothing to an agent that can be talked to without a phone. Each step is an ordinary operation; `onDone` hears of
 * each with the time that it took.
 */
export async function makeFirstAgent(given: FirstAgent, onDone: (done: Done) => void): Promise<Running> {
  const step = async <Result>(words: Omit<Done, 'ms'>, operation: () => Promise<Result>): Promise<Result> => {
    const began = performance.now();
    const result = await operation();
    onDone({ ...words, ms: performance.now() - began });
    return result;
  };
  const { company_name, hostname, email } = given;
  const { id: customer_id } = await step(
    {
      what: `Customer ${company_name}`,
      operation: 'create_customer',
      command: `agentctl customers create --email ${email} --company ${quoted(company_name)}`,
    },
    () => acp.call('create_customer', { body: { email, company_name } }),
  );
  const path = { customer_id };
  if (given.with_people)
    await step(
      {
        what: 'Three people',
        operation: 'import_customer_staff',
        command: `agentctl staff import ${email} --file staff.csv`,
      },
      () => acp.call('import_customer_staff', { path, body: { staff: THREE_PEOPLE } }),
    );
  const body = { channel: 'playground', external_id: email, display_name: 'You', verified: true } as const;
  const { id: identity_id } = await step(
    {
      what: 'You, as somebody it knows',
      operation: 'create_identity',
      command: `agentctl identities create ${email} ${email} --channel playground --name You --verified`,
    },
    () => acp.call('create_identity', { path, body }),
  );
  const instance_id = await step(
    {
      what: `Agent ${hostname}`,
      operation: 'deploy_recipe',
      command: `agentctl deploy ${given.recipe_id} --customer ${email} --hostname ${hostname} --override without-a-number.yaml --wait`,
    },
    () => deploy(given.recipe_id, customer_id, hostname),
  );
  return { instance_id, identity_id, customer_id };
}

/** Without a number: the templates of the platform else wait for a connection. */
async function deploy(recipe_id: string, customer_id: string, hostname: string): Promise<string> {
  const [tiers, regions] = await Promise.all([acp.call('list_tiers', {}), acp.call('list_regions', {})]);
  const [tier] = tiers.items;
  const [region] = regions.items;
  if (!tier || !region)
    throw new Error('The operator has to make a tier and a region first: then agents can be deployed.');
  const instance_overrides = { channel_types: ['playground'], connection_requirements: [] };
  const { instance_id } = await acp.call('deploy_recipe', {
    body: { recipe_id, customer_id, hostname, tier_id: tier.id, region_id: region.id, instance_overrides },
  });
  if (instance_id === null) throw new Error('Nothing was deployed: something is missing.');
  await acp.instances.waitUntilRunning(instance_id, { timeoutMs: READY_MS });
  return instance_id;
}
