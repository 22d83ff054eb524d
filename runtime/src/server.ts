import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { HttpError, readJson, requireBearer, sendJson } from './http.ts';
import type { IdentityStatus } from './identity/identity.ts';
import type { InboundMessage } from './inbound-message.ts';
import type { Outcome } from './inbox.ts';
import { errorName, type Log } from './log.ts';
import { parseMessage } from './message.ts';
import { type AgentSecrets, parseSecrets } from './secrets.ts';

const requestTimeoutMs = 30_000;
const handshakeTimeoutMs = 10_000;
/** Longer than the interval of health checks: a new connection costs the control plane more than a request. */
const keepAliveTimeoutMs = 30_000;

interface Dependencies {
  instanceId: string;
  /** Then the server needs a certificate, by `setSecureContext`, before it listens. */
  isOverTls: boolean;
  messageSecret: string;
  /** Only `ok` is healthy. The reason of the last failed call. */
  health: () => { status: IdentityStatus; reason: string | undefined };
  /** False without a lease. */
  mayAnswer: (message: InboundMessage) => Promise<boolean>;
  receive: (message: InboundMessage) => Promise<Outcome>;
  replaceSecrets: (secrets: AgentSecrets) => void;
  log: Log;
}

/** Headers for tracing across services. */
function traceOf({ headers }: IncomingMessage): Record<string, string> {
  const named = ['x-request-id', 'traceparent'].map((name) => [name, headers[name]] as const);
  return Object.fromEntries(named.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
}

interface Answer {
  status: number;
  body?: unknown;
  headers?: HttpError['headers'];
}

async function getHealth({ health, instanceId }: Dependencies): Promise<Answer> {
  const { status, reason } = health();
  const body = {
    status,
    instance_id: instanceId,
    ...(status !== 'ok' && reason !== undefined && { reason }),
  };
  return { status: status === 'ok' ? 200 : 503, body };
}

async function postMessage(
  { messageSecret, mayAnswer, receive }: Dependencies,
  request: IncomingMessage,
): Promise<Answer> {
  requireBearer(request, messageSecret);
  const message = parseMessage(await readJson(request));
  if ('invalid' in message) throw new HttpError(422, `${message.invalid} is missing or not valid`);
  if (!(await mayAnswer(message)))
    throw new HttpError(503, 'The control plane has not been reached for long');
  const outcome = await receive({ ...message, trace: traceOf(request) });
  if (outcome === 'failed') throw new HttpError(502, 'The control plane did not take the answer');
  return { status: 200, body: { status: outcome } };
}

async function putSecrets(
  { messageSecret, replaceSecrets, log }: Dependencies,
  request: IncomingMessage,
): Promise<Answer> {
  requireBearer(request, messageSecret);
  const secrets = parseSecrets(await readJson(request));
  if (secrets === undefined) throw new HttpError(422, 'connections is missing or not valid');
  replaceSecrets(secrets);
  log.info('secrets_replaced');
  return { status: 204 };
}

interface Route {
  method: string;
  handle: (services: Dependencies, request: IncomingMessage) => Promise<Answer>;
}

const routes: ReadonlyMap<string, Route> = new Map([
  ['/health', { method: 'GET', handle: getHealth }],
  ['/messages', { method: 'POST', handle: postMessage }],
  ['/secrets', { method: 'PUT', handle: putSecrets }],
]);

async function dispatch(services: Dependencies, request: IncomingMessage): Promise<Answer> {
  const route = routes.get(request.url?.split('?')[0] ?? '');
  if (route === undefined) throw new HttpError(404, 'Not Found');
  if (request.method !== route.method)
    throw new HttpError(405, 'Method Not Allowed', { allow: route.method });
  return await route.handle(services, request);
}

function answerTo(error: unknown, log: Log): Answer {
  if (error instanceof HttpError) {
    return { status: error.status, body: { detail: error.message }, headers: error.headers };
  }
  log.error('request_failed', { error: errorName(error) });
  return { status: 500, body: { detail: 'Internal error' } };
}

/** Does not listen yet. Errors are `{"detail": …}`. No request can end the process. */
export function createRuntimeServer(services: Dependencies): Server | TlsServer {
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = await dispatch(services, request).catch((error: unknown) => answerTo(error, services.log));
    // A closing server must not keep connections alive.
    if (!server.listening) response.setHeader('connection', 'close');
    sendJson(response, answer.status, answer.body, answer.headers ?? {});
  }

  const options = { requestTimeout: requestTimeoutMs, keepAliveTimeout: keepAliveTimeoutMs };
  const answer = (request: IncomingMessage, response: ServerResponse) => void serve(request, response);
  const server = services.isOverTls
    ? createTlsServer({ ...options, handshakeTimeout: handshakeTimeoutMs }, answer)
    : createServer(options, answer);
  return server;
}
