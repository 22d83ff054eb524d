import type { DeployCheckResult } from '@agent-control-plane/sdk';
import type { Demo } from './demo.ts';
import { CHANNEL, customerOf, recipeOf } from './scenario.ts';

/** With an override, all three origins are shown. */
const OVERRIDES = { channel_config: { greeting: 'Hello from the demo' } };
const SHOWN_POINTERS = ['/model_policy', '/skills', '/channel_config/greeting'];

export async function plan(
  demo: Demo,
): Promise<{ customer_id: string; recipe_id: string; plan_hash: string }> {
  const { acp, screen, scenario, step, signal, made } = demo;
  screen.heading('Plan');
  const customer = await step(
    'Create a customer',
    () => acp.customers.create(customerOf(scenario), { signal }),
    ({ id, company_name }) => `${company_name}, id ${id}`,
  );
  made.customer_id = customer.id;
  const recipe = await step(
    'Create a recipe',
    () => acp.recipes.create(recipeOf(scenario), { signal }),
    ({ id, name }) => `${name}, id ${id}`,
  );
  made.recipe_id = recipe.id;
  await compose(demo, recipe.id);
  const check = () =>
    acp.deployment.checkDeploy(
      { customer_id: customer.id, recipe_id: recipe.id, hostname: scenario.hostname },
      { signal },
    );
  await step('Check the deploy', check, readiness);
  await step(
    'Add the connection',
    () =>
      acp.connections.create(
        customer.id,
        { provider: CHANNEL, credentials: { access_token: scenario.access_token } },
        { signal },
      ),
    ({ id }) => `${CHANNEL}, id ${id}; its credentials are encrypted and never returned`,
  );
  await step(
    'Set the customer’s PIN',
    () => acp.pins.setCustomerPin(customer.id, { pin: scenario.pin }, { signal }),
    ({ has_pin }) => `has_pin ${has_pin}`,
  );
  const { plan_hash } = await step('Check again', check, readiness);
  return { customer_id: customer.id, recipe_id: recipe.id, plan_hash };
}

async function compose({ acp, screen, step, signal }: Demo, recipe_id: string): Promise<void> {
  const { resolved_config, violations, provenance } = await step(
    'Compose it with an override',
    () => acp.deployment.composeRecipe({ recipe_id, instance_overrides: OVERRIDES }, { signal }),
    ({ violations }) =>
      violations.length === 0 ? 'no violations' : `${violations.length} violations (warnings)`,
  );
  for (const { code, path, message } of violations) screen.detail(`${code} ${path}: ${message}`);
  for (const pointer of SHOWN_POINTERS) {
    const value = pointer.split('/').slice(1).reduce<unknown>(memberOf, resolved_config);
    screen.detail(`${pointer} = ${JSON.stringify(value)}   from: ${originOf(provenance, pointer)}`);
  }
}

/** A pointer covers everything below it that has no pointer of its own. */
function originOf(provenance: Record<string, string>, pointer: string): string | undefined {
  if (pointer === '' || provenance[pointer] !== undefined) return provenance[pointer];
  return originOf(provenance, pointer.slice(0, pointer.lastIndexOf('/')));
}

const memberOf = (value: unknown, key: string) =>
  (value as Record<string, unknown> | null | undefined)?.[key];

function readiness({ ready, plan_hash, missing_connections, violations }: DeployCheckResult): string {
  const warnings = violations.map(({ code }) => `; warning: ${code}`).join('');
  if (ready) return `ready, plan ${plan_hash.slice(0, 12)}…${warnings}`;
  const missing = missing_connections.map(({ provider, reason }) => `${provider} (${reason})`);
  return `not ready, connections needed: ${missing.join(', ')}${warnings}`;
}
