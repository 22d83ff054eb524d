import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './api.ts';
import type { Stage } from './stage.ts';
import { type Check, newCustomer, type WriterContext } from './writers.ts';

const ENDS_WITHIN_MS = 180_000;
/** Between two upgrades, so that people are answered in between. */
const PAUSE_MS = 8000;
export const UPGRADES = 'upgrades in place';

/** The agent that people write to. */
export interface Agent {
  instance_id: string;
  customer_id: string;
  recipe_id: string;
  /** The person that its trigger speaks to every minute. */
  reminded_person: string;
}

/** A running agent with the channel's number, a model, tools, a rule for approvals and a trigger. */
export async function deployAgent(context: WriterContext, { channel, tools_url }: Stage): Promise<Agent> {
  const { api, tier_id, region_id } = context;
  const { id: customer_id } = await newCustomer(api);
  const reminded_person = '4915300000000';
  await api.callUntilAnswered('POST', `/v1/customers/${customer_id}/connections`, {
    provider: 'chatapp',
    credentials: { access_token: 'the access token' },
  });
  const identity = { channel: 'chatapp', external_id: reminded_person };
  await api.callUntilAnswered('POST', `/v1/customers/${customer_id}/identities`, identity, [409]);
  const { id: recipe_id } = await api.callUntilAnswered<{ id: string }>('POST', '/v1/recipes', {
    name: 'Agent',
    connection_requirements: [{ provider: 'chatapp' }],
    channel_config: { burst_seconds: 0 },
    mcp_servers: [{ name: 'srv', url: tools_url }],
    approval_rules: { require: [{ tool: 'srv__transfer', by: 'person' }] },
    trigger_templates: [{ name: 'tick', schedule: '* * * * *', prompt: 'tick', to: reminded_person }],
  });
  const place = { tier_id, region_id, hostname: 'agent.example.com' };
  const { instance_id } = await api.callUntilAnswered<{ instance_id: string }>('POST', '/v1/recipes/deploy', {
    customer_id,
    recipe_id,
    ...place,
  });
  await api.callUntilAnswered('POST', '/v1/channel-endpoints', {
    channel: 'chatapp',
    phone_number_id: channel.phone_number_id,
    instance_id,
    verify_token: 'a verify token of 29 letters',
    app_secret: channel.app_secret,
  });
  return { instance_id, customer_id, recipe_id, reminded_person };
}

interface Instance {
  status: string;
  recipe_revision: number;
}

const read = (api: Api, { instance_id }: Agent) =>
  api.callUntilAnswered<Instance>('GET', `/v1/instances/${instance_id}`);

interface Task {
  task_id: string | null;
  status: string;
  error: string | null;
}

/** Gives the agent a new revision again and again, while people write to it; the last one, at the end, has no trigger. */
export async function upgrade(context: WriterContext, agent: Agent): Promise<Check> {
  const { api, book, isOver } = context;
  let reached = 0;
  for (let number = 1; !isOver(); number++) {
    reached = (await upgradeTo(context, agent, { system_prompt: `Revision ${number}` })) ?? reached;
    for (const next = Date.now() + PAUSE_MS; !isOver() && Date.now() < next; ) await sleep(100);
  }
  return async () => {
    reached = (await upgradeTo(context, agent, { trigger_templates: [] })) ?? reached;
    let instance = await read(api, agent);
    for (const deadline = Date.now() + context.patienceMs; Date.now() < deadline; await sleep(500)) {
      if (instance.status === 'running') break;
      instance = await read(api, agent);
    }
    const { status, recipe_revision } = instance;
    if (recipe_revision < reached) {
      book.find(UPGRADES, 'lost', `revision ${reached}: the instance has ${recipe_revision}`);
    }
    if (status !== 'running') book.find(UPGRADES, 'wrong', `the agent is ${status} at the end`);
  };
}

/** @returns the revision; undefined where another task was under way, or the upgrade was undone */
async function upgradeTo(context: WriterContext, agent: Agent, change: object): Promise<number | undefined> {
  const { api } = context;
  const recipe = `/v1/recipes/${agent.recipe_id}`;
  await api.callUntilAnswered('PUT', recipe, change);
  const { revision } = await api.callUntilAnswered<{ revision: number }>('GET', recipe);
  const path = `/v1/instances/${agent.instance_id}/upgrade`;
  const began = Date.now();
  const { task_id } = await api.callUntilAnswered<Task>('POST', path, { revision }, [409]);
  return task_id && (await hasSucceeded(context, task_id, began)) ? revision : undefined;
}

/** A task may fail where a fault came between: then it was undone. */
async function hasSucceeded({ api, book }: WriterContext, task_id: string, began: number): Promise<boolean> {
  for (const deadline = began + ENDS_WITHIN_MS; Date.now() < deadline; await sleep(200)) {
    const { status, error } = await api.callUntilAnswered<Task>('GET', `/v1/tasks/${task_id}`);
    if (status === 'succeeded') {
      book.acknowledge(UPGRADES, task_id);
      return true;
    }
    if (status !== 'failed' && status !== 'canceled') continue;
    if (book.wasInTrouble(began, Date.now())) book.allow('upgrade that failed under a fault');
    else book.find(UPGRADES, 'wrong', `task ${task_id} ended ${status}: ${error}`);
    return false;
  }
  book.find(UPGRADES, 'lost', `task ${task_id} has not ended within ${ENDS_WITHIN_MS / 1000} seconds`);
  return false;
}
