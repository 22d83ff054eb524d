import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { at } from '../src/json.ts';
import { calls, says, startLlm } from './support/fake-llm.ts';
import type { FakeReply, Seen } from './support/fake-server.ts';
import { conversationId, customerId, instanceId } from './support/ids.ts';
import { messageOf, startRuntime } from './support/runtime.ts';

const offered = [
  { name: 'crm__book', description: 'Books a job', inputSchema: { type: 'object', properties: {} } },
  { name: 'crm__has spaces', inputSchema: { type: 'object' } },
];
const result = (text: string, more: object = {}) => ({ content: [{ type: 'text', text }], ...more });

/** The agent has tools of the gateway, and its model calls one of them first. */
async function startWith(reply: (seen: Seen) => object, ...script: FakeReply[]) {
  const llm = await startLlm(calls('crm__book', { job: 'J-1' }), ...script);
  const runtime = await startRuntime({ llmUrl: llm.url });
  const { routes } = runtime.controlPlane;
  routes.set('GET /customer-config', () => ({
    status: 200,
    body: {
      customer_id: customerId,
      instance_id: instanceId,
      config: { skills: [], mcp_servers: [{ name: 'crm' }] },
      timezone: 'UTC',
    },
  }));
  routes.set('POST /mcp', (seen) => ({
    status: 200,
    body: {
      jsonrpc: '2.0',
      id: 1,
      result: at(seen.body, 'method') === 'tools/list' ? { tools: offered } : reply(seen),
    },
  }));
  return { llm, runtime };
}

it('offers the tools of the gateway to the model and calls them for the conversation', async () => {
  const { llm, runtime } = await startWith(() => result('Booked as 7'), says('It is booked.'));
  expect(await runtime.say('Please book job J-1')).toBe('It is booked.');
  expect(llm.requests()[0]?.tools.map((tool) => tool.function.name)).toContain('crm__book');
  expect(llm.requests()[0]?.tools.map((tool) => tool.function.name)).not.toContain('crm__has spaces');
  expect(llm.requests()[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: 'Booked as 7' });
  const [, call] = runtime.controlPlane.to('POST /mcp');
  expect(call?.query).toEqual({ customer_id: customerId });
  expect(call?.body).toMatchObject({
    method: 'tools/call',
    params: { name: 'crm__book', arguments: { job: 'J-1' } },
  });
});

it('lets the model tell the sender that a person has to approve', async () => {
  const waiting = { status: 'waiting_for_approval', approval_id: randomUUID() };
  const { llm, runtime } = await startWith(
    () => result(JSON.stringify(waiting), { structuredContent: waiting }),
    says('I have asked for approval.'),
  );
  expect(await runtime.say('Please book job J-1')).toBe('I have asked for approval.');
  expect(llm.requests()[1]?.messages.at(-1)?.content).toContain('A person has to approve this first');
});

const status = (value: string) => result(value, { structuredContent: { status: value } });
it.each([
  [
    'waits for a person',
    status('waiting_for_approval'),
    'A person has to approve your request (crm__book) first. You will hear from me then.',
  ],
  [
    'was broken off',
    status('unknown'),
    'Your request (crm__book) was broken off, so it may have been done or not: please check.',
  ],
  ['failed', result('Set job_ref and retry', { isError: true }), 'Your request (crm__book) did not work.'],
  ['says nothing', { content: [] }, 'Your request (crm__book) is done.'],
  [
    'answers programs',
    result('{"ref":7}'),
    'Your request (crm__book) is done, but I cannot put its result into words.',
  ],
  ['answers people', result('Booked as 7'), 'Booked as 7'],
])(
  'when the model fails after a call that %s, the sender reads a sentence',
  async (_name, outcome, sentence) => {
    const { llm, runtime } = await startWith(() => outcome, { status: 400, body: {} });
    expect(await runtime.say('Please book job J-1')).toBe(sentence);
    expect(llm.requests()).toHaveLength(2);
  },
);

it('asks for the PIN with the call’s arguments, and calls with a session for that tool', async () => {
  const required = { status: 'pin_required', purpose: 'crm__book' };
  const { runtime } = await startWith((seen) =>
    seen.pinSession === 'session-1'
      ? result('Booked as 7')
      : result('', { isError: true, structuredContent: required }),
  );
  let purpose: unknown;
  runtime.controlPlane.routes.set('POST /pin/verify', ({ body }) => {
    purpose = at(body, 'purpose');
    return {
      status: 200,
      body: {
        verified: true,
        session_token: 'session-1',
        session_ttl_minutes: 15,
        remaining_attempts: 5,
        error: null,
      },
    };
  });
  runtime.controlPlane.routes.set('POST /pin/session', () => ({ status: 200, body: { valid: true } }));
  expect(await runtime.say('Please book job J-1')).toBe(
    'To run crm__book with {"job":"J-1"}, please send your PIN.',
  );
  expect(await runtime.say('4829')).toBe('Booked as 7');
  expect(purpose).toBe('crm__book');
});

it.each([
  ['approved', 'Your request (crm__book) was approved and is done: Fine.'],
  ['rejected', 'Your request (crm__book) was not approved: Fine.'],
  ['expired', 'Your request (crm__book) was not decided in time, so nothing was done: Fine.'],
  ['failed', 'Your request (crm__book) was approved, but it may not have worked: please check: Fine.'],
])('tells the sender in one sentence that a call was %s', async (status, sentence) => {
  const runtime = await startRuntime({});
  const approval = { id: randomUUID(), tool: 'crm__book', status, result: result('7'), comment: 'Fine' };
  await runtime.deliver({ ...messageOf(null), kind: 'approval', approval });
  await expect.poll(() => runtime.controlPlane.texts()).toEqual([sentence]);
});

it('lets a model tell the outcome, with the tool’s result', async () => {
  const llm = await startLlm(says('Your job is booked as 7.'));
  const runtime = await startRuntime({ llmUrl: llm.url });
  const approval = { tool: 'crm__book', status: 'approved', result: result('Booked as 7'), comment: null };
  await runtime.deliver({ ...messageOf(null), kind: 'approval', approval });
  await expect.poll(() => runtime.controlPlane.texts()).toEqual(['Your job is booked as 7.']);
  expect(llm.requests()[0]?.messages.at(-1)?.content).toContain('Result: Booked as 7');
  expect(runtime.controlPlane.to(`POST /conversations/${conversationId}/messages`)).toHaveLength(1);
});
