import { type Call, sendExpecting } from '../call.ts';
import {
  createCustomer,
  createTenant,
  type FullTenant,
  insertInstance,
  operationsHeaders,
  placeOf,
} from '../fixtures.ts';
import { wrk } from '../load/wrk.ts';
import { figure, row } from '../report.ts';
import { say } from '../say.ts';
import { settle } from '../seed.ts';
import { insertStaff } from '../staff.ts';
import { median } from '../statistics.ts';
import type { World } from '../world.ts';
import type { Study } from './study.ts';

const FEW = 1000;
const PAGES = [1, 20];
const ROWS_OF_PAGE = 50;
/** Enough for the median of some hundred responses. */
const WINDOW_SECONDS = 1;

/** None to five filters, with all, many, few and no matches. */
const FILTERS = [
  '',
  'skills=nobody',
  'skills=few',
  'skills=tenth',
  'skills=half',
  'status=active',
  'tier=2',
  'cert_type=card',
  'induction_site=site',
  'skills=half,few',
  'skills=tenth,other tenth',
  'skills=half,third',
  'cert_type=card&induction_site=site',
  'skills=tenth&tier=2&status=active',
  'skills=tenth,other tenth&status=active',
  'skills=tenth,other tenth&tier=2',
  'skills=half&cert_type=card&status=active',
  'skills=half,third&status=active',
  'skills=half,third&cert_type=card&induction_site=site&status=active',
];

/** The ratio between two customers is the cost of many staff. */
export const staff: Study = {
  name: 'staff',
  title: 'A page of a customer’s staff at one connection, by filters and number of staff',
  run: async (world, { repeats, staff: many }) => {
    const tenant = await createTenant(placeOf(world));
    const ask = [await addCustomer(world, tenant, FEW), await addCustomer(world, tenant, many)];
    await settle(world.admin);
    const lines: string[] = [];
    for (const filters of FILTERS) {
      const totals = await Promise.all(
        ask.map((callOf) =>
          sendExpecting<{ total: number }>(world.service.base_url, callOf(filters, 1), 200).then(
            ({ total }) => total,
          ),
        ),
      );
      const cells: string[] = [];
      for (const page of PAGES) {
        const rounds: number[][] = [];
        for (let repeat = 0; repeat < repeats; repeat++) {
          const round: number[] = [];
          for (const callOf of ask) round.push(await time(world, callOf(filters, page)));
          rounds.push(round);
        }
        const of = (index: number) => rounds.map((round) => round[index] ?? Number.NaN);
        const ratio = figure(median(rounds.map(([few = Number.NaN, all = Number.NaN]) => all / few)));
        const [rows = 0, rowsOfMany = 0] = totals.map((total) => rowsOn(page, total));
        cells.push(figure(median(of(0))), figure(median(of(1))), rows < rowsOfMany ? `(${ratio})` : ratio);
      }
      const line = row([filters.replaceAll('&', ' ') || 'none', ...totals.map(String), ...cells]);
      say(`  ${line}`);
      lines.push(line);
    }
    return [
      `| filters | of ${FEW} | of ${many} | page 1: p50 ms | p50 ms | ratio | page 20: p50 ms | p50 ms | ratio |`,
      '| --- | --: | --: | --: | --: | --: | --: | --: | --: |',
      ...lines,
      '',
      `In brackets: the page of the ${FEW} has fewer rows than that of the ${many}.`,
    ];
  },
};

const rowsOn = (page: number, total: number) =>
  Math.min(ROWS_OF_PAGE, Math.max(0, total - (page - 1) * ROWS_OF_PAGE));

type CallOf = (filters: string, page: number) => Call;

async function addCustomer(world: World, tenant: FullTenant, count: number): Promise<CallOf> {
  const place = placeOf(world);
  const customer_id = await createCustomer(place, tenant);
  const instance_id = await insertInstance(place, tenant, customer_id);
  say(`  Adding ${count} staff`);
  await insertStaff(world.admin, { tenant_id: tenant.id, customer_id }, count);
  return (filters, page) => ({
    method: 'GET',
    path: encodeURI(
      `/internal/v1/instances/${instance_id}/staff?customer_id=${customer_id}&page=${page}&${filters}`,
    ),
    headers: operationsHeaders(world.installation),
  });
}

const time = async ({ service, directory }: World, call: Call) =>
  (
    await wrk({
      base_url: service.base_url,
      calls: [call],
      once: false,
      connections: 1,
      seconds: WINDOW_SECONDS,
      directory,
    })
  ).p50_ms;
