import { existsSync } from 'node:fs';
import pg from 'pg';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type Call, sendExpecting } from '../call.ts';
import { createTenant, type FullTenant, insertInstance, operationsHeaders, type Place } from '../fixtures.ts';
import { sendAll } from '../load/fetch.ts';
import { figure, row } from '../report.ts';
import { say } from '../say.ts';
import { settle } from '../seed.ts';
import { newInstallation, startService } from '../service.ts';
import { median } from '../statistics.ts';
import { webhookCall } from '../workloads/webhook-payload.ts';
import { createDatabase } from '../world.ts';
import { createEndpoint, insertOlder } from './conversations.ts';
import type { Study } from './study.ts';

const CHROMIUM = '/usr/bin/chromium';
const CUSTOMERS = 10_000;
const CONVERSATIONS = 10_000;
/** The latest conversations, which the service writes and seals itself. */
const WRITTEN = 100;
const PERSON = '[data-row]';
const TABLE_ROW = 'tbody tr';

interface Change {
  name: string;
  from: string;
  /** Selector of the link. */
  click: string;
  /** Selector of what the reader came for, within the page's main part. */
  shows: string;
  /** Words there, where a selector does not tell an answer from a frame. */
  says?: string;
}

const menu = (to: string) => `nav a[href="${to}"]`;

const CHANGES: readonly Change[] = [
  { name: 'Overview', from: '/customers', click: menu('/'), shows: 'h2', says: 'running' },
  { name: 'Inbox', from: '/', click: menu('/conversations'), shows: PERSON },
  { name: 'a conversation', from: '/conversations', click: PERSON, shows: '[role="log"] li' },
  { name: 'Approvals', from: '/', click: menu('/approvals'), shows: 'p', says: 'approval rules name' },
  { name: 'Agents', from: '/', click: menu('/instances'), shows: TABLE_ROW },
  { name: 'an agent', from: '/instances', click: `${TABLE_ROW} a`, shows: 'h1', says: 'Recipe' },
  { name: 'Recipes', from: '/', click: menu('/recipes'), shows: TABLE_ROW },
  { name: 'Customers', from: '/', click: menu('/customers'), shows: TABLE_ROW },
  { name: 'a customer', from: '/customers', click: `${TABLE_ROW} a`, shows: 'dl' },
  { name: 'Workforce', from: '/', click: menu('/workforce/timesheets'), shows: 'p', says: 'No hours wait' },
  { name: 'Channels', from: '/', click: menu('/channels'), shows: TABLE_ROW },
  { name: 'Usage', from: '/', click: menu('/usage'), shows: 'p', says: 'No language model was called' },
  { name: 'Settings', from: '/', click: menu('/settings/me'), shows: 'form', says: 'this browser' },
];

/** From a click to a page's content in a browser, in a tenant of many customers and conversations. */
export const pages: Study = {
  name: 'pages',
  title: `Changes of pages with ${CUSTOMERS} customers and ${CONVERSATIONS} conversations`,
  withoutWrk: true,
  run: async (world, { repeats }) => {
    if (!existsSync(CHROMIUM)) throw new Error(`The study of pages needs ${CHROMIUM}`);
    const name = 'pages';
    const installation = newInstallation(world.directory, await createDatabase(world.postgres, name));
    const service = await startService(installation, name);
    const admin = new pg.Client({ connectionString: world.postgres.urlOf('postgres', name) });
    await admin.connect();
    const browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--disable-gpu'],
    });
    try {
      const place: Place = { admin, installation, base_url: service.base_url };
      const tenant = await createTenant(place);
      await fill(place, tenant);
      return await measure(await signIn(browser, place, tenant), service.base_url, repeats);
    } finally {
      await browser.close();
      await service.stop();
      await admin.end();
    }
  },
};

async function fill(place: Place, tenant: FullTenant): Promise<void> {
  const { admin, base_url } = place;
  say(`  ${CUSTOMERS} customers, ${CONVERSATIONS} conversations`);
  await admin.query(
    `insert into customers (tenant_id, email, company_name, created_at)
     select $1, 'desk' || n || '@example.com', 'Company ' || md5(n::text), now() - n * interval '1 minute'
     from generate_series(1, $2::int) n`,
    [tenant.id, CUSTOMERS],
  );
  const { rows } = await admin.query<{ id: string }>(
    'select id from customers where tenant_id = $1 order by created_at desc limit 1',
    [tenant.id],
  );
  const customer_id = rows[0]?.id ?? '';
  const instance_id = await insertInstance(place, tenant, customer_id);
  const endpoint = await createEndpoint(base_url, (body) => ({
    method: 'POST',
    path: '/v1/channel-endpoints',
    headers: { ...tenant.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, instance_id }),
  }));
  const count = CONVERSATIONS - WRITTEN;
  await insertOlder(admin, { tenant_id: tenant.id, customer_id, instance_id, count, each: 10 });
  const calls: Call[] = Array.from({ length: WRITTEN }, (_, nth) => webhookCall(endpoint, nth));
  await sendAll(base_url, calls, 4);
  await settle(admin);
}

/** By a one-time link, as a reader's first sign-in. */
async function signIn(
  browser: Browser,
  { admin, base_url, installation }: Place,
  tenant: FullTenant,
): Promise<Page> {
  const { rows } = await admin.query<{ id: string }>(
    'select user_id as id from memberships where tenant_id = $1',
    [tenant.id],
  );
  const path = `/internal/v1/tenants/${tenant.id}/users/${rows[0]?.id}/sign-in-link`;
  const call: Call = { method: 'POST', path, headers: operationsHeaders(installation) };
  const { url } = await sendExpecting<{ url: string }>(base_url, call, 201);
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  await page.goto(url);
  await page.waitForURL(`${base_url}/`);
  return page;
}

/** Each change first in a tab that was opened anew, with scripts in the browser's cache, then once more in that tab. */
async function measure(page: Page, base_url: string, repeats: number): Promise<string[]> {
  const lines = [
    '| to | from | first in a tab, ms (least to most) | again, ms |',
    '| --- | --- | --: | --: |',
  ];
  for (const change of CHANGES) {
    const [first, again]: [number[], number[]] = [[], []];
    // The first one of all fills the browser's cache.
    for (let repeat = 0; repeat <= repeats; repeat++) {
      await page.goto(base_url + change.from);
      const times = [await timeOf(page, change)];
      await page.goBack();
      times.push(await timeOf(page, change));
      if (repeat === 0) continue;
      first.push(times[0] ?? Number.NaN);
      again.push(times[1] ?? Number.NaN);
    }
    const range = `${figure(Math.min(...first))} to ${figure(Math.max(...first))}`;
    lines.push(row([change.name, change.from, `${figure(median(first))} (${range})`, figure(median(again))]));
  }
  return lines;
}

/** Without the pointer, which would preload the page. Ends with the frame that shows the content. */
async function timeOf(page: Page, { name, click, shows, says = '' }: Change): Promise<number> {
  await page.locator(click).first().waitFor();
  await page.getByLabel('Loading').first().waitFor({ state: 'detached' });
  return page.evaluate<number>(`new Promise((resolve, reject) => {
    const before = location.pathname;
    const begun = performance.now();
    document.querySelector(${JSON.stringify(click)}).click();
    const look = () => {
      if (performance.now() - begun > 30000) return reject(new Error(${JSON.stringify(`${name}: nothing came`)}));
      const main = document.querySelector('main');
      const isThere = location.pathname !== before && main?.querySelector(${JSON.stringify(shows)}) &&
        main.textContent.includes(${JSON.stringify(says)}) &&
        !document.querySelector('[aria-label="Loading"]');
      if (!isThere) return requestAnimationFrame(look);
      requestAnimationFrame(() => resolve(performance.now() - begun));
    };
    look();
  })`);
}
