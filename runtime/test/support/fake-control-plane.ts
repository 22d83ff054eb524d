import { at } from '../../src/json.ts';
import { type FakeReply, type FakeServer, type Seen, startFake } from './fake-server.ts';
import { conversationId, customerId, instanceId, proxyKey } from './ids.ts';

type Handler = (seen: Seen) => FakeReply | Promise<FakeReply>;

export interface FakeControlPlane extends FakeServer {
  /** `METHOD /path` below the instance → its handler. Other paths are unknown routes. */
  routes: Map<string, Handler>;
  /** The next replies to answers, in order; when empty, answers are accepted. */
  script: FakeReply[];
  /** Accepted answers, in order. */
  texts: () => string[];
  to: (route: string) => Seen[];
}

const missing = (...loc: string[]): FakeReply => ({
  status: 422,
  body: { detail: [{ loc, msg: 'Field required', type: 'missing' }] },
});

/** Checks before a route's handler (specification 4.2 to 4.8). */
function refuse(path: string, { query, body, authorization }: Seen): FakeReply | undefined {
  if (authorization !== `Bearer ${proxyKey}`) return { status: 401, body: { detail: 'Not authenticated' } };
  if (path.startsWith('/worker/me/') && (!query['channel_type'] || !query['channel_address'])) {
    return missing('query', 'channel_address');
  }
  if (
    ['/staff', '/customer-config', '/pin/check-required'].includes(path) &&
    query['customer_id'] !== customerId
  ) {
    return missing('query', 'customer_id');
  }
  if (path === '/pin/verify' && !(body && typeof body === 'object' && 'pin' in body))
    return missing('body', 'pin');
  return undefined;
}

export const answerRoute = `POST /conversations/${conversationId}/messages`;
export const handoverRoute = `POST /conversations/${conversationId}/handover`;

/** With one instance and no PIN policy. */
export async function startControlPlane(skills: unknown[] = allSkills): Promise<FakeControlPlane> {
  const script: FakeReply[] = [];
  const taken: string[] = [];
  const prefix = `/internal/v1/instances/${instanceId}`;
  const routes = new Map<string, Handler>([
    [
      answerRoute,
      ({ body }) => {
        const next = script.shift();
        if (next !== undefined) return next;
        taken.push(String(at(body, 'text')));
        return { status: 202, body: { id: conversationId } };
      },
    ],
    [handoverRoute, () => ({ status: 200, body: { mode: 'human' } })],
    ['GET /worker/me/timesheets', () => ({ status: 200, body: [] })],
    [
      'GET /customer-config',
      () => ({
        status: 200,
        body: {
          customer_id: customerId,
          instance_id: instanceId,
          config: { skills, system_prompt: 'Be brief.' },
          timezone: 'UTC',
        },
      }),
    ],
    [
      'POST /pin/check-required',
      () => ({
        status: 200,
        body: {
          required: false,
          has_pin: false,
          is_locked: false,
          pin_required_skills: [],
          pin_applies_to: 'all',
        },
      }),
    ],
  ]);
  const fake = await startFake((seen) => {
    const path = seen.path.startsWith(prefix) ? seen.path.slice(prefix.length) : undefined;
    const handler = path === undefined ? undefined : routes.get(`${seen.method} ${path}`);
    if (path === undefined || handler === undefined) return { status: 404, body: { detail: 'Not Found' } };
    return refuse(path, seen) ?? handler(seen);
  });
  const to = (route: string) =>
    fake.seen.filter(({ method, path }) => `${method} ${path}` === route.replace(' ', ` ${prefix}`));
  return { ...fake, routes, script, texts: () => [...taken], to };
}

export const allSkills = ['staff_query', 'worker_shifts', 'timesheet', 'drive_search', 'eligibility'];
