import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Gauge, Registry } from 'prom-client';
import { VERSION } from '../contract/about.ts';
import { DATABASE_STATES, type DatabaseState } from '../db/readiness.ts';
import { requestIdOf } from './request-id.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

const RETRY_AFTER_SECONDS = '2';
const STARTING = 'The service is starting';

/** The state of the database, and how far runtimes are isolated, as the start knows them. */
interface Start {
  database: () => DatabaseState;
  isolation: () => string;
}

const REASONS: Readonly<Record<DatabaseState, string>> = {
  ok: STARTING,
  busy: `${STARTING}: it waits for the database, which is busy`,
  read_only: `${STARTING}: it waits for the database, which takes no writes`,
  full: `${STARTING}: it waits for the database, which has no room`,
  unreachable: `${STARTING}: it waits for the database, which is not reachable`,
};

/** Answers while the service cannot: as its routes of the same paths do, and 503 for everything else (contract, section 20). */
export function whileStarting({ database, isolation }: Start): RequestListener {
  const metrics = metricsOf(database);
  return (request, response) => {
    request.resume();
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    response.setHeader('x-request-id', requestIdOf(request));
    const path = isRead(request) ? (request.url ?? '').split('?', 1)[0] : undefined;
    if (path === '/healthz') return answer(response, 200, { status: 'ok' });
    if (path === '/readyz') {
      const checks = { database: database(), migrations: 'unknown', isolation: isolation() };
      return answer(response, 503, { detail: REASONS[checks.database], status: 'unready', checks });
    }
    if (path === '/metrics') return void answerMetrics(response, metrics).catch(() => response.destroy());
    response.setHeader('retry-after', RETRY_AFTER_SECONDS);
    return answer(response, 503, { detail: STARTING });
  };
}

const isRead = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD';

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}

async function answerMetrics(response: ServerResponse, registry: Registry): Promise<void> {
  const text = await registry.metrics();
  response.writeHead(200, { 'content-type': registry.contentType }).end(text);
}

/** Those by which an operator learns what is in the way; with the others the process's own come. */
function metricsOf(database: () => DatabaseState): Registry {
  const registry = new Registry();
  const add = (name: string, help: string, label: string[] = []) =>
    new Gauge({ name, help, labelNames: label, registers: [registry] });
  add('acp_info', 'The version of the service, as a label', ['version']).set({ version: VERSION }, 1);
  add('acp_database_up', 'Whether the database answered this scrape: not while the service waits for it').set(
    0,
  );
  const state: Gauge = new Gauge({
    name: 'acp_database_state',
    help: 'How this copy finds the database: 1 for the state that /readyz names',
    labelNames: ['state'],
    registers: [registry],
    collect: () => {
      for (const one of DATABASE_STATES) state.set({ state: one }, Number(one === database()));
    },
  });
  return registry;
}
