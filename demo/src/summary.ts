import type { Demo } from './demo.ts';
import { customerOf, recipeOf } from './scenario.ts';

const ENDS = { requested: 'being terminated', reached: 'terminated' };

export function summarize({ screen, credentials, scenario, made }: Demo, ms: number): void {
  const { customer_id, recipe_id, endpoint_id, instance_id, end } = made;
  const { base_url } = credentials;
  const row = (name: string, text: string) => screen.line(`  ${name.padEnd(10)} ${text}`);
  const removals = [
    instance_id && !end && `/v1/instances/${instance_id}`,
    endpoint_id && `/v1/channel-endpoints/${endpoint_id}`,
    recipe_id && `/v1/recipes/${recipe_id}`,
  ].filter((path) => typeof path === 'string');
  screen.heading('Created');
  if (instance_id) row('instance', `${instance_id}, ${end ? ENDS[end] : 'still running'}`);
  if (endpoint_id) row('number', endpoint_id);
  if (recipe_id) row('recipe', recipe_id);
  if (customer_id) row('customer', `${customer_id}, kept with its history`);
  row('look at', `${base_url}/docs`);
  if (removals.length > 0) {
    screen.line(`\n  To remove the rest:\n`);
    screen.line(`    KEY=$(node -p 'require("${credentials.path}").api_key')`);
    for (const path of removals) screen.line(`    curl -X DELETE -H "X-Api-Key: $KEY" ${base_url}${path}`);
  }
  if (end === 'reached' && customer_id) {
    const { email } = customerOf(scenario);
    const hostname = `me-${scenario.tag}.example.com`;
    screen.line(`\n  To talk to such an agent yourself:\n`);
    screen.line(
      `    npx agentctl deploy "${recipeOf(scenario).name}" --customer ${email} --hostname ${hostname} --wait`,
    );
    screen.line(`    npx agentctl chat ${hostname}`);
  }
  screen.line(`\n  ${(ms / 1000).toFixed(1)} s in total\n`);
}
