import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, it, vi } from 'vitest';
import { HttpRuntimeClient } from '../../src/adapters/http-runtime-client.ts';
import { OpenTelemetryTracing } from '../../src/adapters/opentelemetry-tracing.ts';
import { machineNetwork } from '../../src/adapters/process-engine/network.ts';
import { readStat } from '../../src/adapters/process-engine/proc.ts';
import { addProxyKey } from '../../src/runtimes/proxy-keys.ts';
import { createAgent, WAIT } from '../support/conversations.ts';
import { noTrust } from '../support/runtime-certificates.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { changeFor, HOOK, payloadOf, sign, textMessage } from '../support/webhook.ts';

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  status?: { code?: number };
}

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

function spansOf(body: unknown): Span[] {
  const { resourceSpans } = body as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
}

/** `answer` handles each request. */
async function listen(
  answer: (path: string, body: unknown, headers: IncomingHttpHeaders) => Promise<object>,
) {
  const server = createServer((request, response) => {
    void json(request)
      .then((body) => answer(request.url ?? '', body, request.headers))
      .then((body) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const OPTIONS = {
  service_name: 'acp',
  version: '1',
  sampler: 'parentbased_always_on',
  ratio: 1,
  delay_ms: 100,
} as const;
const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
const servers: Server[] = [];
const spans: Span[] = [];
const seen: Record<'runtime' | 'channel' | 'readMarks', IncomingHttpHeaders[]> = {
  runtime: [],
  channel: [],
  readMarks: [],
};
let service: TestService;
/** The runtime answers by a call of its own with the headers that it received. */
let answerTo: (
  message: { conversation_id: string; message_id: string },
  headers: IncomingHttpHeaders,
) => Promise<void>;

async function start(isTraced: boolean) {
  const collector = await listen(async (_path, body) => {
    spans.push(...spansOf(body));
    return {};
  });
  const channel = await listen(async (_path, body, headers) => {
    const isReadMark = (body as { status?: string }).status === 'read';
    (isReadMark ? seen.readMarks : seen.channel).push(headers);
    return { messages: [{ id: 'wamid.1' }] };
  });
  const runtime = await listen(async (_path, body, headers) => {
    seen.runtime.push(headers);
    await answerTo(body as { conversation_id: string; message_id: string }, headers);
    return {};
  });
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector);
  const tracing = isTraced ? new OpenTelemetryTracing(OPTIONS, log) : undefined;
  vi.unstubAllEnvs();
  service = await startTestService({
    tracing,
    runtimes: new HttpRuntimeClient(noTrust),
    settings: {
      host_id: crypto.randomUUID(),
      chatapp_api_base_url: channel,
      trust_domain: 'acp.test',
      llm: undefined,
    },
  });
  const tenant = await service.createTenant();
  const agent = await createAgent(service, tenant);
  const { services } = service.service;
  const q = services.db.tenant(tenant.tenant_id);
  const key = await addProxyKey(services, q, agent.instance.id);
  await service.database.query('update runtimes set address = $1 where instance_id = $2', [
    machineNetwork(Number(new URL(runtime).port)).addressOf(readStat(process.pid) ?? expect.unreachable()),
    agent.instance.id,
  ]);
  answerTo = async ({ conversation_id, message_id }, { traceparent, 'x-request-id': id }) => {
    const caller = service.anonymous.with({
      authorization: `Bearer ${key}`,
      ...(typeof traceparent === 'string' && { traceparent }),
      'x-request-id': String(id),
    });
    const path = `/internal/v1/instances/${agent.instance.id}/conversations/${conversation_id}/messages`;
    expect((await caller.post(path, { text: 'Hello', in_reply_to: message_id })).status).toBe(202);
  };
  return agent;
}

/** Delivers a message with these headers, and waits until the answer is at the channel. */
async function converse(agent: Awaited<ReturnType<typeof start>>, traceparent: string, request_id: string) {
  const raw = JSON.stringify(payloadOf(changeFor(agent.phone_number_id, textMessage('1', 'Hello'))));
  const headers = {
    'x-hub-signature-256': sign(raw, agent.app_secret),
    traceparent,
    'x-request-id': request_id,
  };
  expect((await service.anonymous.request('POST', HOOK, { raw, headers })).status).toBe(200);
  await vi.waitFor(() => expect(seen.channel).toHaveLength(1), WAIT);
}

const stop = async () => {
  await service.stop();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
};

it('a trace and its request id span webhook, jobs, runtime and send API', async () => {
  const agent = await start(true);
  try {
    await converse(agent, `00-${TRACE}-${PARENT}-01`, 'request-of-the-channel');
    await vi.waitFor(() => expect(spans.filter(({ traceId }) => traceId === TRACE)).toHaveLength(6), WAIT);
    const chain = ['POST send API', 'send_messages', expect.stringMatching(/conversations.*messages$/)];
    const whole = [...chain, 'POST /messages', 'converse', `POST ${HOOK}`];
    const names: string[] = [];
    for (let span = spans.find(({ name }) => name === 'POST send API'); span; ) {
      names.push(span.name);
      const parent: string | undefined = span.parentSpanId;
      span = spans.find(({ spanId }) => spanId === parent);
      if (!span) expect(parent).toBe(PARENT);
    }
    expect(names).toEqual(whole);
    // Nothing waits for it.
    await vi.waitFor(() => expect(seen.readMarks).toHaveLength(1), WAIT);
    for (const [headers] of [seen.runtime, seen.channel, seen.readMarks]) {
      expect(headers).toMatchObject({
        'x-request-id': 'request-of-the-channel',
        traceparent: expect.stringMatching(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`)),
      });
    }
  } finally {
    await stop();
  }
});

it('without an exporter, traceparent and request id are forwarded unchanged and nothing is exported', async () => {
  spans.length = seen.runtime.length = seen.channel.length = 0;
  const agent = await start(false);
  try {
    const traceparent = `00-${TRACE}-${PARENT}-00`;
    await converse(agent, traceparent, 'another-request');
    const names = { traceparent, 'x-request-id': 'another-request' };
    expect([seen.runtime[0], seen.channel[0]]).toMatchObject([names, names]);
    expect(spans).toEqual([]);
  } finally {
    await stop();
  }
});

interface Exported {
  resourceSpans: { resource: { attributes: { key: string; value: { stringValue: string } }[] } }[];
}

it.each([
  ['always_on', 2],
  ['always_off', 0],
  ['traceidratio', 0],
  ['parentbased_traceidratio', 1],
] as const)(
  'with the sampler %s and a share of 0, %i of two spans are exported',
  async (sampler, expected) => {
    spans.length = 0;
    const attributes: Record<string, string> = {};
    const collector = await listen(async (_path, body) => {
      const [{ resource }] = (body as Exported).resourceSpans as [Exported['resourceSpans'][0]];
      for (const { key, value } of resource.attributes) attributes[key] = value.stringValue;
      spans.push(...spansOf(body));
      return {};
    });
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector);
    vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment.name=production');
    const tracing = new OpenTelemetryTracing({ ...OPTIONS, sampler, ratio: 0 }, log);
    vi.unstubAllEnvs();
    for (const parent of [undefined, `00-${TRACE}-${PARENT}-01`]) {
      tracing.begin({ name: 'work', kind: 'server', parent }).end();
    }
    await tracing.close();
    expect(spans).toHaveLength(expected);
    if (expected > 0) {
      expect(attributes).toMatchObject({
        'service.name': 'acp',
        'deployment.environment.name': 'production',
      });
    }
  },
);

it('logs once that spans cannot be exported, and when they can again', async () => {
  let status = 400;
  const collector = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(status).end());
  });
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `http://127.0.0.1:${(collector.address() as AddressInfo).port}`);
  const tracing = new OpenTelemetryTracing(OPTIONS, log);
  vi.unstubAllEnvs();
  const trace = () => tracing.begin({ name: 'work', kind: 'server', parent: undefined }).end();
  try {
    for (let i = 0; i < 2; i++) {
      const refused = once(collector, 'request');
      trace();
      await refused;
    }
    await vi.waitFor(() => expect(log.warn).toHaveBeenCalled(), WAIT);
    status = 200;
    trace();
    await vi.waitFor(() => expect(log.info).toHaveBeenCalled(), WAIT);
    expect(log.warn.mock.calls).toEqual([[expect.anything(), expect.stringMatching(/^traces cannot be/)]]);
    expect(log.info.mock.calls).toEqual([[{}, 'traces are exported again']]);
  } finally {
    await tracing.close();
    collector.close().closeAllConnections();
  }
});
