import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './api.ts';
import type { Book } from './book.ts';

/** Shared by the writers. */
export interface WriterContext {
  api: Api;
  book: Book;
  isOver: () => boolean;
  /** Between two writes. */
  pause: () => Promise<void>;
  login: { email: string; password: string };
  tier_id: string;
  region_id: string;
  /** The run is long enough for what takes minutes. */
  isLong: boolean;
  /** How long something may stand still at the end before it counts as lost. */
  patienceMs: number;
  /** The conversations' ids by their senders. */
  conversations: Map<string, string>;
  /** When the agent began to work, and when the run was over. */
  began: () => number;
  ended: () => number;
}

/** The ends of the names of customers that are not compared, and of recipes that are. */
const SET_UP = '@setup.example.com';
const LISTED = ' (listed)';

/** Compares the stored state with the acknowledged writes. */
export type Check = () => Promise<void>;

/** Writes until the run is over. */
export type Writer = (context: WriterContext) => Promise<Check>;

/** The email is unique, so a retry is safe, and 409 means success. */
const customers: Writer = async ({ api, book, isOver, pause }) => {
  for (; !isOver(); await pause()) {
    const email = `${randomUUID()}@ledger.example.com`;
    book.try('customers', email);
    await api.callUntilAnswered('POST', '/v1/customers', { email }, [409]);
    book.acknowledge('customers', email);
  }
  return async () => {
    const found = await api.all<{ email: string }>('/v1/customers', 'customers');
    const ours = found.map(({ email }) => email).filter((email) => !email.endsWith(SET_UP));
    book.compare('customers', ours);
  };
};

const staff: Writer = async ({ api, book, isOver, pause, login }) => {
  const { id } = await newCustomer(api);
  const path = `/v1/customers/${id}/staff`;
  for (; !isOver(); await pause()) {
    const external_id = randomUUID();
    book.try('staff', external_id);
    await api.callUntilAnswered('POST', path, { name: 'Ana', external_id }, [409]);
    book.acknowledge('staff', external_id);
  }
  return async () => {
    const admin = await api.loggedIn(login);
    const found = await admin.all<{ external_id: string }>(path, 'staff');
    book.compare(
      'staff',
      found.map(({ external_id }) => external_id),
    );
  };
};

/** Shifts have no key, so a request with an unknown outcome is not retried; its shift may exist once. */
const shifts: Writer = async ({ api, book, isOver, pause }) => {
  const { id } = await newCustomer(api);
  const { id: person_id } = await api.callUntilAnswered<{ id: string }>('POST', `/v1/customers/${id}/staff`, {
    name: 'Bo',
  });
  const path = `/v1/customers/${id}/shifts`;
  const [starts_at, ends_at] = [0, 8].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
  for (; !isOver(); await pause()) {
    const title = randomUUID();
    book.try('shifts', title);
    const made = await api.attempt('POST', path, { person_id, title, starts_at, ends_at });
    if (made) book.acknowledge('shifts', title);
  }
  return async () => {
    const found = await api.all<{ title: string }>(path, 'items');
    book.compare(
      'shifts',
      found.map(({ title }) => title),
    );
  };
};

const recipes: Writer = async ({ api, book, isOver, pause }) => {
  for (; !isOver(); await pause()) {
    const name = `${randomUUID()}${LISTED}`;
    book.try('recipes', name);
    if (await api.attempt('POST', '/v1/recipes', { name })) book.acknowledge('recipes', name);
  }
  return async () => {
    const found = await api.callUntilAnswered<{ name: string }[]>('GET', '/v1/recipes');
    book.compare(
      'recipes',
      found.map(({ name }) => name).filter((name) => name.endsWith(LISTED)),
    );
  };
};

/** Overwrites one value. @returns its possible values: the last acknowledged one, and later ones with an unknown outcome */
async function rewrite(
  { isOver, pause, book }: WriterContext,
  kind: string,
  write: (value: number) => Promise<boolean>,
): Promise<Set<string>> {
  let possible = new Set<string>();
  for (let value = 1; !isOver(); value++, await pause()) {
    const isDone = await write(value);
    if (isDone) possible = new Set();
    possible.add(String(value));
    if (isDone) book.acknowledge(kind, String(value));
  }
  return possible;
}

const revisions: Writer = async (context) => {
  const { api, book } = context;
  const { id } = await api.callUntilAnswered<{ id: string }>('POST', '/v1/recipes', {
    name: `Revised ${randomUUID()}`,
  });
  const numbers: number[] = [];
  const possible = await rewrite(context, 'recipe revisions', async (value) => {
    const answer = await api.attempt('PUT', `/v1/recipes/${id}`, {
      system_prompt: String(value),
    });
    if (answer) numbers.push((answer.json as { revision: number }).revision);
    return answer !== undefined;
  });
  return async () => {
    const { system_prompt } = await api.callUntilAnswered<{ system_prompt: string }>(
      'GET',
      `/v1/recipes/${id}`,
    );
    book.compareValue('recipe revisions', id, system_prompt, possible);
    const sorted = numbers.toSorted((a, b) => a - b).map(String);
    book.compareOrder('recipe revisions', sorted, numbers.map(String));
  };
};

const budgets: Writer = async (context) => {
  const { api, book } = context;
  const { id } = await newCustomer(api);
  const path = `/v1/customers/${id}/budget`;
  const possible = await rewrite(context, 'budgets', async (value) => {
    return (await api.attempt('PUT', path, { monthly_tokens: value })) !== undefined;
  });
  return async () => {
    const { monthly_tokens } = await api.callUntilAnswered<{ monthly_tokens: number }>('GET', path);
    book.compareValue('budgets', id, String(monthly_tokens), possible);
  };
};

interface Instance {
  id: string;
  hostname: string;
  status: string;
}

/** An idempotency key makes a deploy safe to repeat. Each instance is then terminated. */
const deploys: Writer = async (context) => {
  const { api, book, isOver, pause, tier_id, region_id } = context;
  const customer_id = (await newCustomer(api)).id;
  const { id: recipe_id } = await api.callUntilAnswered<{ id: string }>('POST', '/v1/recipes', {
    name: 'Deployed',
  });
  const list = () => api.all<Instance>(`/v1/instances?customer_id=${customer_id}`, 'items');
  for (; !isOver(); await pause()) {
    const hostname = `h${randomUUID()}.example.com`;
    book.try('deploys', hostname);
    const body = { customer_id, recipe_id, tier_id, region_id, hostname, idempotency_key: hostname };
    const { instance_id } = await api.callUntilAnswered<{ instance_id: string }>(
      'POST',
      '/v1/recipes/deploy',
      body,
    );
    book.acknowledge('deploys', hostname);
    await untilStatus(context, instance_id, 'running');
    await api.callUntilAnswered('DELETE', `/v1/instances/${instance_id}`, undefined, [409]);
    book.acknowledge('terminations', hostname);
  }
  return async () => {
    const found = await list();
    book.compare(
      'deploys',
      found.map(({ hostname }) => hostname),
    );
    for (const { id } of found) await untilStatus(context, id, 'terminated');
    const gone = (await list()).filter(({ status }) => status === 'terminated');
    for (const { hostname } of gone) book.try('terminations', hostname);
    book.compare(
      'terminations',
      gone.map(({ hostname }) => hostname),
    );
  };
};

const SETTLES_WITHIN_MS = 180_000;

/** Waits for a status. A start may fail where a fault came between, and was undone then. */
async function untilStatus({ api, book }: WriterContext, instance_id: string, status: string): Promise<void> {
  const began = Date.now();
  for (const deadline = began + SETTLES_WITHIN_MS; Date.now() < deadline; await sleep(200)) {
    const instance = await api.callUntilAnswered<Instance>('GET', `/v1/instances/${instance_id}`);
    if (instance.status === status) return;
    if (instance.status !== 'failed') continue;
    if (book.wasInTrouble(began, Date.now())) book.allow('deploy that failed under a fault');
    else book.find('deploys', 'wrong', `${instance_id} has failed although nothing was wrong`);
    return;
  }
  book.find('deploys', 'wrong', `${instance_id} was not ${status} within ${SETTLES_WITHIN_MS / 1000} s`);
}

/** The email is new, so 409 means that an unanswered request created the customer. */
export async function newCustomer(api: Api): Promise<{ id: string }> {
  const email = `${randomUUID()}${SET_UP}`;
  const made = await api.callUntilAnswered<{ id?: string }>('POST', '/v1/customers', { email }, [409]);
  if (made.id !== undefined) return { id: made.id };
  const [found] = await api.all<{ id: string }>(`/v1/customers?search=${email}`, 'customers');
  return { id: found?.id ?? '' };
}

export const writers: readonly Writer[] = [customers, staff, shifts, recipes, revisions, budgets, deploys];
