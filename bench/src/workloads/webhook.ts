import { randomUUID } from 'node:crypto';
import { send, sendExpecting } from '../call.ts';
import { createCustomer, createTenant, insertInstance, placeOf, tenantCall } from '../fixtures.ts';
import { runScript } from './check.ts';
import { type Endpoint, webhookCall } from './webhook-payload.ts';
import type { Workload } from './workload.ts';

const ENDPOINTS = 20;
/** More than any window can take; a window that runs out fails. */
const PER_SECOND = 8000;

const endpoints: Endpoint[] = [];

/** A simple program's single insert for each message. */
function script(): string {
  const [endpoint] = endpoints;
  if (!endpoint) throw new Error('The endpoints have to be made first');
  const { entry } = JSON.parse(webhookCall(endpoint, 1).body ?? '{}') as { entry: object[] };
  const raw = JSON.stringify(entry[0], null, 1).replaceAll(/\n */g, '').replaceAll("'", "''");
  return `begin;
select set_config('role', 'acp_system', true), set_config('app.tenant_id', '', true);
insert into channel_messages (tenant_id, endpoint_id, instance_id, channel, message_id, external_id, status, sealed_content, give_up_at) select tenant_id, id, instance_id, channel, gen_random_uuid(), '4915100000001', 'dead', convert_to('${raw}', 'UTF8'), now() + interval '1 day' from channel_endpoints where id = '${endpoint.id}' returning id;
commit;
`;
}

/** Each message is signed and new, and stored with a job before the 200. The service runs no jobs (ROLE=api). */
export const webhook: Workload = {
  name: 'webhook',
  title: 'Webhook: 1 to 3 KB, signed, stored before the answer',
  only: ['pgbench', 'service'],
  prepare: async (world) => {
    if (endpoints.length > 0) return;
    const place = placeOf(world);
    const tenant = await createTenant(place);
    const instance_id = await insertInstance(place, tenant, await createCustomer(place, tenant));
    for (let number = 0; number < ENDPOINTS; number++) {
      const phone_number_id = `10954${String(1_000_000 + number)}`;
      const secrets = { verify_token: randomUUID(), app_secret: randomUUID() };
      const body = { channel: 'chatapp', phone_number_id, instance_id, ...secrets };
      const call = tenantCall(tenant, 'POST', '/v1/channel-endpoints', body);
      const { id } = await sendExpecting<{ id: string }>(place.base_url, call, 201);
      endpoints.push({ id, phone_number_id, app_secret: secrets.app_secret });
    }
  },
  check: async ({ base_url }, { admin }) => {
    const [endpoint, other] = endpoints as [Endpoint, Endpoint];
    const call = webhookCall(endpoint, 1);
    await sendExpecting(base_url, call, 200);
    const stored = `select from channel_messages m join jobs j on j.key = m.conversation_id::text`;
    const { rows } = await admin.query(stored);
    if (rows.length !== 1) throw new Error(`${rows.length} messages with a job were stored in place of one`);
    const forged = {
      ...call,
      headers: { ...webhookCall({ ...endpoint, app_secret: other.app_secret }, 1).headers },
    };
    const { status } = await send(base_url, forged);
    if (status !== 401) throw new Error(`A forged message was answered with ${status}`);
  },
  requests: (_server, _world, { seconds }) => ({
    calls: Array.from({ length: PER_SECOND * seconds }, (_, number) =>
      webhookCall(endpoints[number % ENDPOINTS] as Endpoint, number),
    ),
    once: true,
  }),
  script,
  checkScript: async (world) => {
    if ((await runScript(world, script(), {})).length !== 1) throw new Error('No message was stored');
    await world.admin.query('delete from channel_messages');
  },
  reset: async ({ admin }) => {
    await admin.query('delete from channel_messages');
    await admin.query('delete from conversations');
    await admin.query('delete from jobs');
    // Truncated tables would get plans for empty tables, as in no real service.
    await admin.query('vacuum (truncate false) channel_messages, conversations, jobs');
    await admin.query('checkpoint');
  },
};
