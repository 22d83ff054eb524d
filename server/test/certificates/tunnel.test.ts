import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Csr, enrolledInstance, newCsr } from '../support/identities.ts';
import { insertInstance } from '../support/instances.ts';
import { OpenSsl } from '../support/openssl.ts';
import { sharedService, type TestService, type TestTenant } from '../support/service.ts';
import { watched } from '../support/watched.ts';

const PEERS = '/internal/v1/tunnel/peers';

let openssl: OpenSsl;
let csr: Csr;
let service: TestService;
let tenant: TestTenant;

beforeAll(async () => {
  openssl = await OpenSsl.open();
  csr = await newCsr(openssl);
  service = await sharedService('idle');
  tenant = await service.createTenant();
});
afterAll(async () => {
  await openssl.close();
});

const list = (etag?: string) => service.operations.get(PEERS, etag ? { 'if-none-match': etag } : {});
const etagOf = async () => (await list()).headers.get('etag') ?? expect.unreachable();

describe('the peers of the tunnel', () => {
  it('are empty at first', async () => {
    const { status, text, headers } = await list();
    expect([status, text]).toEqual([200, '']);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  it('are the enrolled instances of all tenants in WireGuard’s format', async () => {
    await insertInstance(service, tenant.tenant_id);
    const enrolled = [
      await enrolledInstance(service, tenant, csr),
      await enrolledInstance(service, await service.createTenant(), csr),
    ];
    const blocks = enrolled
      .toSorted((a, b) => (a.wg_public_key < b.wg_public_key ? -1 : 1))
      .map(
        ({ id, vpn_ip, wg_public_key }) =>
          `[Peer]\n# instance ${id}\nPublicKey = ${wg_public_key}\nAllowedIPs = ${vpn_ip}/32\n`,
      );
    const { text } = await list();
    expect(
      text
        .split(/\n(?=\n|$)/)
        .map((block) => `${block.trim()}\n`)
        .filter((block) => block !== '\n')
        .toSorted(),
    ).toEqual(blocks.toSorted());
  });

  it('are not sent again while unchanged', async () => {
    const instance = await enrolledInstance(service, tenant, csr);
    const etag = await etagOf();
    const { status, text } = await list(etag);
    expect([status, text]).toEqual([304, '']);
    await service.database.query('update instances set updated_at = now()');
    expect((await list(etag)).status).toBe(304);
    await service.database.query(
      `update instances set tunnel_address = tunnel_address + 100000 where id = $1`,
      [instance.id],
    );
    const changed = await list(etag);
    expect([changed.status, changed.headers.get('etag') === etag]).toEqual([200, false]);
    await service.database.query('update instances set wg_public_key = null where id = $1', [instance.id]);
    const gone = await list(etag);
    expect(gone.text).not.toContain(instance.id);
  });

  it('are complete and unique over several pages', async () => {
    const { id } = await insertInstance(service, tenant.tenant_id);
    const limits = { instances: 10_000 };
    await service.operations.patch(`/internal/v1/tenants/${tenant.tenant_id}`, { limits });
    await service.database.query(
      `insert into instances (id, tenant_id, customer_id, recipe_id, recipe_revision, template_name, tier_id, region_id,
         hostname, hosting_mode, capacity, status, resolved_config, provenance, tunnel_address, wg_public_key)
       select gen_random_uuid(), tenant_id, customer_id, recipe_id, 1, 'Recipe', tier_id, region_id, 'agent', hosting_mode,
         50, 'running', '{}', '{}', '10.64.0.0'::inet + nextval('tunnel_address_numbers'),
         encode(sha256(n::text::bytea), 'base64')
       from instances, generate_series(1, 3500) n where id = $1`,
      [id],
    );
    const [row] = await service.database.query<{ count: string }>(
      'select count(*) from instances where wg_public_key is not null',
    );
    const { text } = await list();
    const keys = [...text.matchAll(/^PublicKey = (.*)$/gm)].map(([, key]) => key);
    expect(keys).toHaveLength(Number(row?.count));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('end in an error when the database fails', async () => {
    const { db } = service.service.services;
    const { system } = db;
    let statements = 0;
    const failing = watched(system, () => {
      // The digest and the first page succeed.
      if (++statements > 2) throw new Error('gone');
    });
    Object.defineProperty(db, 'system', { configurable: true, get: () => failing });
    const answer = list();
    await expect(answer).rejects.toThrow('terminated');
    Reflect.deleteProperty(db, 'system');
    expect(statements).toBe(3);
  });
});

it('the database accepts only keys of 32 bytes', async () => {
  const { id } = await insertInstance(service, tenant.tenant_id);
  const update = (key: string) =>
    service.database.query('update instances set wg_public_key = $2 where id = $1', [id, key]);
  for (const key of ['', 'a', Buffer.alloc(31).toString('base64'), `${'A'.repeat(42)}B=`]) {
    await expect(update(key)).rejects.toThrow('instances_wg_public_key_check');
  }
  await update(Buffer.alloc(32, 7).toString('base64'));
});
