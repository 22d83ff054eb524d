import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './api.ts';
import type { Book } from './book.ts';

/** Shared by those who write. */
export interface Desk {
  api: Api;
  book: Book;
  isOver: () => boolean;
  /** Settles after a pause between two writes. */
  rest: () => Promise<void>;
  login: { email: string; password: string };
  tier_id: string;
  region_id: string;
}

/** Compares what there is with what was acknowledged. */
export type Check = () => Promise<void>;

/** Writes until the run is over. */
export type Writer = (desk: Desk) => Promise<Check>;

/** The email is the key of a customer, so asking again is safe, and 409 says that it was done. */
const customers: Writer = async ({ api, book, isOver, rest }) => {
  for (; !isOver(); await rest()) {
    const email = `${randomUUID()}@ledger.example.com`;
    await api.surely('POST', '/v1/customers', { email }, [409]);
    book.acknowledge('customers', email);
  }
  return async () => {
    const found = await api.all<{ email: string }>('/v1/customers', 'customers');
    book.compare('customers', emailsOf(found));
  };
};

const emailsOf = (found: readonly { email: string }[]) => found.map(({ email }) => email);

const staff: Writer = async ({ api, book, isOver, rest, login }) => {
  const { id } = await newCustomer(api);
  const path = `/v1/customers/${id}/staff`;
  for (; !isOver(); await rest()) {
    const external_id = randomUUID();
    await api.surely('POST', path, { name: 'Ana', external_id }, [409]);
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

/** Shifts have no key: one of which nobody knows is not asked for again, and may be there once. */
const shifts: Writer = async ({ api, book, isOver, rest }) => {
  const { id } = await newCustomer(api);
  const { id: person_id } = await api.surely<{ id: string }>('POST', `/v1/customers/${id}/staff`, {
    name: 'Bo',
  });
  const path = `/v1/customers/${id}/shifts`;
  const [starts_at, ends_at] = [0, 8].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
  for (; !isOver(); await rest()) {
    const title = randomUUID();
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

const recipes: Writer = async ({ api, book, isOver, rest }) => {
  const tried = new Set<string>();
  for (; !isOver(); await rest()) {
    const name = randomUUID();
    tried.add(name);
    if (await api.attempt('POST', '/v1/recipes', { name })) book.acknowledge('recipes', name);
  }
  return async () => {
    const found = await api.surely<{ name: string }[]>('GET', '/v1/recipes');
    book.compare(
      'recipes',
      found.map(({ name }) => name).filter((name) => tried.has(name)),
    );
  };
};

/** One value is written over and over: at the end it is the last acknowledged one, or one whose fate nobody knew. */
async function rewrite(
  { isOver, rest, book }: Desk,
  kind: string,
  write: (value: number) => Promise<boolean>,
): Promise<Set<string>> {
  let possible = new Set<string>();
  for (let value = 1; !isOver(); value++, await rest()) {
    const isDone = await write(value);
    if (isDone) possible = new Set();
    possible.add(String(value));
    if (isDone) book.acknowledge(kind, String(value));
  }
  return possible;
}

const revisions: Writer = async (desk) => {
  const { api, book } = desk;
  const { id } = await api.surely<{ id: string }>('POST', '/v1/recipes', { name: `Revised ${randomUUID()}` });
  const numbers: number[] = [];
  const possible = await rewrite(desk, 'recipe revisions', async (value) => {
    const answer = await api.attempt('PUT', `/v1/recipes/${id}`, {
      system_prompt: String(value),
    });
    if (answer) numbers.push((answer.json as { revision: number }).revision);
    return answer !== undefined;
  });
  return async () => {
    const { system_prompt } = await api.surely<{ system_prompt: string }>('GET', `/v1/recipes/${id}`);
    book.compareValue('recipe revisions', id, system_prompt, possible);
    const sorted = numbers.toSorted((a, b) => a - b).map(String);
    book.compareOrder('recipe revisions', sorted, numbers.map(String));
  };
};

const budgets: Writer = async (desk) => {
  const { api, book } = desk;
  const { id } = await newCustomer(api);
  const path = `/v1/customers/${id}/budget`;
  const possible = await rewrite(desk, 'budgets', async (value) => {
    return (await api.attempt('PUT', path, { monthly_tokens: value })) !== undefined;
  });
  return async () => {
    const { monthly_tokens } = await api.surely<{ monthly_tokens: number }>('GET', path);
    book.compareValue('budgets', id, String(monthly_tokens), possible);
  };
};

interface Instance {
  id: string;
  hostname: string;
  status: string;
}

/** A deploy has an idempotency key, so it is asked for until it is answered. Each is taken away again. */
const deploys: Writer = async ({ api, book, isOver, rest, tier_id, region_id }) => {
  const customer_id = (await newCustomer(api)).id;
  const { id: recipe_id } = await api.surely<{ id: string }>('POST', '/v1/recipes', { name: 'Deployed' });
  const list = () => api.all<Instance>(`/v1/instances?customer_id=${customer_id}`, 'items');
  for (; !isOver(); await rest()) {
    const hostname = `h${randomUUID()}.example.com`;
    const body = { customer_id, recipe_id, tier_id, region_id, hostname, idempotency_key: hostname };
    const { instance_id } = await api.surely<{ instance_id: string }>('POST', '/v1/recipes/deploy', body);
    book.acknowledge('deploys', hostname);
    await settled(api, instance_id, 'running');
    await api.surely('DELETE', `/v1/instances/${instance_id}`, undefined, [409]);
    book.acknowledge('terminations', hostname);
  }
  return async () => {
    const found = await list();
    book.compare(
      'deploys',
      found.map(({ hostname }) => hostname),
    );
    for (const { id } of found) await settled(api, id, 'terminated');
    const gone = (await list()).filter(({ status }) => status === 'terminated');
    book.compare(
      'terminations',
      gone.map(({ hostname }) => hostname),
    );
  };
};

/** Waits a while for a status. */
async function settled(api: Api, instance_id: string, status: string): Promise<void> {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; await sleep(200)) {
    const instance = await api.surely<Instance>('GET', `/v1/instances/${instance_id}`);
    if (instance.status === status) return;
  }
}

/** The email is new, so a 409 says that it was made by a request that was not answered. */
export async function newCustomer(api: Api): Promise<{ id: string }> {
  const email = `${randomUUID()}@setup.example.com`;
  const made = await api.surely<{ id?: string }>('POST', '/v1/customers', { email }, [409]);
  if (made.id !== undefined) return { id: made.id };
  const [found] = await api.all<{ id: string }>(`/v1/customers?search=${email}`, 'customers');
  return { id: found?.id ?? '' };
}

export const writers: readonly Writer[] = [customers, staff, shifts, recipes, revisions, budgets, deploys];
