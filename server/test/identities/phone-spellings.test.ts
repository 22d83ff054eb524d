import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import {
  conversationWith,
  createAgent,
  forwardedCount,
  uniqueSender,
  WAIT,
  write,
} from '../support/conversations.ts';
import { runJobs } from '../support/jobs.ts';
import { startTestService, type TestService, type TestTenant } from '../support/service.ts';
import { Crew, type Staff } from '../support/staff.ts';
import type { TestEndpoint } from '../support/webhook.ts';

let service: TestService;
let tenant: TestTenant;
let agent: TestEndpoint;
let crew: Crew;
let ada: Staff;
/** As the channel writes it, and the rest of it. */
let phone: string;
let rest: string;

beforeAll(async () => {
  service = await startTestService();
  tenant = await service.createTenant('Acme');
});
afterAll(() => service.stop());
beforeEach(async () => {
  agent = await createAgent(service, tenant);
  crew = new Crew(service, tenant, agent.instance);
  await tenant.api.patch(crew.customer_path, { country_code: 'DE' });
  ada = await crew.add({ name: 'Ada' });
  rest = uniqueSender().slice(-7);
  phone = `49171${rest}`;
});

const SPELLINGS: readonly ((rest: string) => string)[] = [
  (digits) => `+49171${digits}`,
  (digits) => `+49 171 ${digits}`,
  (digits) => `+49-171-${digits}`,
  (digits) => `+49 (0) 171 ${digits.slice(0, 4)}-${digits.slice(4)}`,
  (digits) => `0049 171 ${digits}`,
  (digits) => `0171 ${digits}`,
  (digits) => `(0171) ${digits.slice(0, 3)}.${digits.slice(3)}`,
  (digits) => `whatsapp:+49171${digits}`,
];

const add = (external_id: string) =>
  tenant.api.post<{ id: string; external_id: string }>(`${crew.customer_path}/identities`, {
    channel: 'chatapp',
    external_id,
    verified: true,
  });
const bind = (channel_address: string) =>
  tenant.api.post<{ id: string; channel_address: string }>(`${crew.customer_path}/staff/${ada.id}/bindings`, {
    channel_type: 'chatapp',
    channel_address,
    code: '4711',
  });
const lookUp = async (external_id: string) => {
  const query = new URLSearchParams({ channel: 'chatapp', external_id }).toString();
  return (await service.operations.get<{ identity_id?: string }>(`${crew.path}/lookup/identity?${query}`))
    .body.identity_id;
};
const verify = (channel_address: string) =>
  service.operations.post<{ state: string }>(`${crew.path}/worker/verify`, {
    channel_type: 'chatapp',
    channel_address,
    response: '4711',
  });

it.each(SPELLINGS.map((spell) => [spell('1444744'), spell] as const))(
  '%s is the sender who writes, is kept as sent, and is one address with each other spelling',
  async (_, spell) => {
    const spelled = spell(rest);
    const { status, body: identity } = await add(spelled);
    expect([status, identity.external_id]).toEqual([201, spelled]);
    const { body: binding } = await bind(spelled);
    expect(binding.channel_address).toBe(spelled);
    expect((await verify(phone)).body).toMatchObject({ state: 'verified' });
    await write(service, agent, phone, 'Hi');
    await forwardedCount(service, agent, 1);
    expect(await conversationWith(tenant, agent, phone)).toMatchObject({
      identity_id: identity.id,
      person_id: ada.id,
    });
    const found = await Promise.all(SPELLINGS.map((other) => lookUp(other(rest))));
    expect(new Set(found)).toEqual(new Set([identity.id]));
    const again = await Promise.all(SPELLINGS.flatMap((other) => [add(other(rest)), bind(other(rest))]));
    expect(new Set(again.map((answer) => answer.status))).toEqual(new Set([409]));
  },
);

it('without country code is kept and found as sent', async () => {
  const short = `171 ${rest}`;
  const { body } = await add(short);
  expect(await lookUp(short)).toBe(body.id);
  expect(await lookUp(phone)).toBeUndefined();
});

it('with a leading 0 is one of the country that the customer has now', async () => {
  const { body } = await add(`0171${rest}`);
  await bind(`0171${rest}`);
  await tenant.api.patch(crew.customer_path, { country_code: 'AT' });
  await runJobs(service, 'key_addresses');
  await vi.waitFor(async () => expect(await lookUp(`+43 171 ${rest}`)).toBe(body.id), WAIT);
  expect(await lookUp(phone)).toBeUndefined();
});

it('that was stored before is found, and of two for one number the first', async () => {
  const spelled = SPELLINGS[1]?.(rest) ?? '';
  const { body: first } = await add(spelled);
  const { body: other } = await add(`US.${rest}`);
  await bind(spelled);
  await service.database.query(
    `update identities set external_id = case id when $2 then $3 else external_id end, address_key = null
     where customer_id = $1`,
    [agent.instance.customer_id, other.id, `0049171${rest}`],
  );
  await service.database.query(
    'update identity_addresses a set external_id = i.external_id from identities i where i.id = a.identity_id and i.customer_id = $1',
    [agent.instance.customer_id],
  );
  await service.database.query('update staff_bindings set address_key = null where customer_id = $1', [
    agent.instance.customer_id,
  ]);
  await runJobs(service, 'key_addresses');
  await vi.waitFor(async () => expect([first.id, other.id]).toContain(await lookUp(phone)), WAIT);
  await vi.waitFor(async () => expect((await verify(phone)).status).toBe(200), WAIT);
});
