import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { findServedIdentity, linkAddresses } from '../../src/identities/identity-addresses.db.ts';
import { createCustomer } from '../support/customers.ts';
import { insertInstance, placeCustomer, type TestInstance } from '../support/instances.ts';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';
import { createEndpoint, sendMessages } from '../support/webhook.ts';

interface Identity {
  id: string;
}

let service: TestService;
let tenant: TestTenant;
let instance: TestInstance;
let address: string;

beforeAll(async () => {
  service = await sharedService('working');
  tenant = await service.createTenant();
});
beforeEach(async () => {
  instance = await insertInstance(service, tenant.tenant_id, { hosting_mode: 'shared' });
  address = randomUUID();
});

const lookUp = (external_id: string, channel = 'chatapp', { id } = instance) =>
  service.operations.get<{ identity_id: string }>(
    `/internal/v1/instances/${id}/lookup/identity?${new URLSearchParams({ channel, external_id }).toString()}`,
  );
const add = (customer_id: string, identity: object, owner = tenant) =>
  owner.api.post<Identity>(`/v1/customers/${customer_id}/identities`, { channel: 'chatapp', ...identity });
const someDigits = () =>
  BigInt(`0x${randomUUID().slice(0, 8)}`)
    .toString()
    .padStart(10, '1');
const q = () => service.service.services.db.tenant(tenant.tenant_id);
const forwarded = (message_id: string) =>
  vi.waitFor(
    () =>
      service.runtimes.messages.find(({ message }) => message.message_id === message_id)?.message ??
      expect.unreachable(),
    { timeout: 60_000, interval: 20 },
  );
const NOT_FOUND = { status: 404, text: '{"detail":"Identity not found"}' };

describe('the lookup', () => {
  it('returns the identity with its customer', async () => {
    const email = `${randomUUID()}@example.com`;
    const customer_id = await createCustomer(tenant, { email });
    await placeCustomer(service, instance.id, customer_id);
    const identity = { external_id: address, display_name: 'Ada', role_override: 'owner', verified: true };
    const { body: added } = await add(customer_id, identity);
    const answer = await lookUp(address);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...identity,
      channel: 'chatapp',
      identity_id: added.id,
      customer_id,
      customer_email: email,
    });
    await add(instance.customer_id, { channel: 'sms', external_id: address });
    expect((await lookUp(address, 'sms')).body).toMatchObject({
      customer_id: instance.customer_id,
      customer_email: null,
      display_name: null,
      role_override: null,
      verified: false,
    });
  });

  it('finds identities of the customers that the instance serves now', async () => {
    const elsewhere = await insertInstance(service, tenant.tenant_id);
    await add(elsewhere.customer_id, { external_id: address });
    expect(await lookUp(address)).toMatchObject(NOT_FOUND);
    expect((await lookUp(address, 'chatapp', elsewhere)).status).toBe(200);
    await service.database.query('update deployments set released_at = now() where instance_id = $1', [
      elsewhere.id,
    ]);
    expect(await lookUp(address, 'chatapp', elsewhere)).toMatchObject(NOT_FOUND);
  });

  it('matches channel, whole address and tenant', async () => {
    await add(instance.customer_id, { external_id: address });
    const stranger = await service.createTenant();
    const theirs = await insertInstance(service, stranger.tenant_id);
    for (const answer of [
      await lookUp(address, 'sms'),
      await lookUp(address.slice(1)),
      await lookUp(''),
      await lookUp(address, 'chatapp', theirs),
    ]) {
      expect(answer).toMatchObject(NOT_FOUND);
    }
    expect((await lookUp(address)).status).toBe(200);
  });

  it('finds a phone number with and without its plus', async () => {
    const digits = someDigits();
    const { body: written } = await add(instance.customer_id, { external_id: `+${digits}` });
    for (const spelled of [`+${digits}`, digits, `00${digits}`, `whatsapp:+${digits}`, `${digits} `]) {
      expect((await lookUp(spelled)).body).toMatchObject({
        identity_id: written.id,
        external_id: `+${digits}`,
      });
    }
    for (const other of [`000${digits}`, `++${digits}`, `+${digits.slice(1)}`, `${digits}x`]) {
      expect(await lookUp(other)).toMatchObject(NOT_FOUND);
    }
    expect((await add(instance.customer_id, { external_id: digits })).status).toBe(409);
  });
});

it('finds the sender of a message by the number without its plus', async () => {
  const endpoint = await createEndpoint(service, tenant, instance);
  const from = someDigits();
  const { body: identity } = await add(instance.customer_id, { external_id: `+${from}` });
  await placeCustomer(service, instance.id);
  await sendMessages(service, endpoint, { id: from, from, type: 'text', text: { body: 'hello' } });
  expect(await forwarded(from)).toMatchObject({ external_id: from, identity_id: identity.id });
});

describe('an alias', () => {
  it('never shares an address with a concurrently added identity', async () => {
    const { body: identity } = await add(instance.customer_id, { external_id: address });
    for (let round = 0; round < 10; round++) {
      const alias = `DE.${randomUUID()}`;
      const [added] = await Promise.all([
        add(instance.customer_id, { external_id: alias }),
        q().run(linkAddresses({ identity_id: identity.id, channel: 'chatapp' }, [alias])),
      ]);
      const owner = added.status === 201 ? added.body.id : identity.id;
      expect([201, 409]).toContain(added.status);
      expect((await lookUp(alias)).body.identity_id).toBe(owner);
    }
  });

  it('comes from a message with two addresses', async () => {
    const endpoint = await createEndpoint(service, tenant, instance);
    const [phone, user_id] = [address, `DE.${address}`];
    const { body: identity } = await add(instance.customer_id, { external_id: phone });
    await placeCustomer(service, instance.id);
    const send = (id: string, addresses: object) =>
      sendMessages(service, endpoint, { id, type: 'text', text: { body: id }, ...addresses });

    expect(await lookUp(user_id)).toMatchObject(NOT_FOUND);
    await send(`both ${address}`, { from: phone, from_user_id: user_id });
    expect(await forwarded(`both ${address}`)).toMatchObject({
      external_id: user_id,
      identity_id: identity.id,
    });
    expect((await lookUp(user_id)).body).toEqual((await lookUp(phone)).body);
    await send(`no phone ${address}`, { from_user_id: user_id });
    expect(await forwarded(`no phone ${address}`)).toMatchObject({
      identity_id: identity.id,
      customer_id: instance.customer_id,
    });
  });

  it('finds the identity in the list of its customer', async () => {
    const alias = `DE.${address}`;
    const { body: identity } = await add(instance.customer_id, { external_id: address });
    await add(instance.customer_id, { external_id: randomUUID() });
    await q().run(linkAddresses({ identity_id: identity.id, channel: 'chatapp' }, [alias]));
    const find = async (filter: object) => {
      const path = `/v1/customers/${instance.customer_id}/identities?${new URLSearchParams({ ...filter }).toString()}`;
      const { body } = await tenant.api.get<{ items: Identity[]; total: number }>(path);
      return [body.total, ...body.items.map(({ id }) => id)];
    };
    expect(await find({ external_id: alias })).toEqual([1, identity.id]);
    expect(await find({ external_id: address, channel: 'chatapp' })).toEqual([1, identity.id]);
    expect(await find({ external_id: alias, channel: 'sms' })).toEqual([0]);
    const digits = someDigits();
    const { body: number } = await add(instance.customer_id, { external_id: `+${digits}` });
    expect(await find({ external_id: digits })).toEqual([1, number.id]);
  });

  it('cannot become another identity’s address', async () => {
    const alias = `DE.${address}`;
    const { body: identity } = await add(instance.customer_id, { external_id: address });
    await q().run(linkAddresses({ identity_id: identity.id, channel: 'chatapp' }, [alias, address]));
    const other = await placeCustomer(service, instance.id);
    const taken = await add(other, { external_id: alias });
    expect(taken).toMatchObject({
      status: 409,
      text: '{"detail":"This channel identity belongs to a customer already"}',
    });
    expect((await add(other, { channel: 'sms', external_id: alias })).status).toBe(201);
    await tenant.api.delete(`/v1/customers/${instance.customer_id}/identities/${identity.id}`);
    expect(await lookUp(alias)).toMatchObject(NOT_FOUND);
    const { status, body } = await add(other, { external_id: alias });
    expect(status).toBe(201);
    expect((await lookUp(alias)).body.identity_id).toBe(body.id);
  });

  it('is not added when it is taken, too long or empty', async () => {
    const { body: one } = await add(instance.customer_id, { external_id: address });
    const { body: two } = await add(instance.customer_id, { external_id: `DE.${address}` });
    const endless = `x${address}`.repeat(10_000);
    await q().run(linkAddresses({ identity_id: one.id, channel: 'chatapp' }, [`DE.${address}`, endless, '']));
    expect((await lookUp(`DE.${address}`)).body.identity_id).toBe(two.id);
    expect(await q().run(findServedIdentity(instance.id, 'chatapp', [endless]))).toBeUndefined();
  });
});
