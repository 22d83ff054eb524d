import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { operations } from '../../../server/src/areas.ts';

const SOURCE = join(import.meta.dirname, '../../src');

/** Operations that people may call and no page does, and why. */
const WITHOUT_PAGE: Record<string, string> = {
  login: 'pages sign in by cookie',
  refresh_tokens: 'pages sign in by cookie',
  switch_tenant: 'pages sign in by cookie',
  logout: 'pages sign in by cookie',
  create_user: 'colleagues are invited, and choose their own password',
  get_api_key_context: 'for keys: get_me tells the same of a person',
  get_rules_template: 'the list has all of them, whole',
  get_onboarding_flow: 'the list has all of them, whole',
  get_tenant_llm_provider: 'the list has all of them, whole',
  get_llm_provider: 'the list has all of them, whole',
  list_instance_logs: 'followed by the client’s stream of logs',
  follow_changes: 'followed by the client’s stream of changes',
  list_customer_expiring_certs: 'the page of all customers has a filter for one',
  update_timesheet: 'hours are decided by decide_timesheets, one or many',
  list_requirements: 'kept by programs',
  get_requirement: 'kept by programs',
  put_requirement: 'kept by programs',
  delete_requirement: 'kept by programs',
  explain_eligibility: 'asked in a chat, and by models',
  get_my_pin: 'asked in a chat',
  get_cluster: 'the list has what people look for',
  put_cluster: 'its credentials come from files, by a program',
  delete_cluster: 'as put_cluster',
  list_tunnel_peers: 'for the far end of the tunnel',
  verify_webhook: 'called by the channel',
  receive_webhook: 'called by the channel',
  call_mcp: 'called by language models',
  get_ca_bundle: 'a file for programs',
  get_ca_crl: 'a file for programs',
  get_health: 'for monitors',
  get_readiness: 'for monitors',
  get_metrics: 'for monitors',
};

it('is on a page, or has a reason why not: each operation that people may call', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  const code = files.map((name) => readFileSync(join(SOURCE, name), 'utf8')).join('\n');
  const forPeople = operations.filter(({ credential }) => !['instance', 'enrollment'].includes(credential));
  const without = forPeople.filter(({ id }) => !code.includes(`'${id}'`)).map(({ id }) => id);
  expect(without.toSorted()).toEqual(Object.keys(WITHOUT_PAGE).toSorted());
});
