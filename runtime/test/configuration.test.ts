import { describe, expect, it } from 'vitest';
import { calls, says, startLlm } from './support/fake-llm.ts';
import type { FakeReply, Seen } from './support/fake-server.ts';
import { customerId, instanceId } from './support/ids.ts';
import { messageOf, startRuntime, type TestRuntime } from './support/runtime.ts';

const ok = (body: unknown): FakeReply => ({ status: 200, body });

/** Changes the control plane's answer. */
function configure({ controlPlane }: TestRuntime, config: object, rules: unknown = {}): void {
  const body = { customer_id: customerId, instance_id: instanceId, config, rules, timezone: 'UTC' };
  controlPlane.routes.set('GET /customer-config', () => ok(body));
}

const file = (content: string, encoding = 'utf-8') => ok({ id: 'f 1', name: 'x', encoding, content });
const files = (...names: string[]) =>
  ok({
    files: names.map((name, index) => ({ id: `f ${index + 1}`, name, web_url: `https://d/${index + 1}` })),
  });

async function startWithDrive(found: FakeReply, content: FakeReply, llmUrl?: string) {
  const runtime = await startRuntime({ skills: ['drive_search'], ...(llmUrl && { llmUrl }) });
  runtime.controlPlane.routes.set('GET /drive/search', () => found);
  const reads: Seen[] = [];
  runtime.controlPlane.routes.set('GET /drive/read/f%201', (seen) => {
    reads.push(seen);
    return content;
  });
  return { runtime, reads };
}

describe('reading a found file', () => {
  it('gives the model the content of a price list', async () => {
    const llm = await startLlm(calls('read_file', { name: 'price list' }), says('A crane costs 90 a day.'));
    const found = files('Price list.txt');
    const { runtime, reads } = await startWithDrive(found, file('Crane: 90 a day'), llm.url);
    expect(await runtime.say('How much is a crane?')).toBe('A crane costs 90 a day.');
    expect(runtime.controlPlane.to('GET /drive/search')[0]?.query).toMatchObject({
      query: 'price list',
      customer_id: customerId,
    });
    expect(reads[0]?.query).toEqual({ customer_id: customerId });
    expect(llm.requests()[1]?.messages.at(-1)?.content).toBe('Price list.txt:\nCrane: 90 a day');
  });

  it('reads the file of exactly that name, and asks if several contain it', async () => {
    const { runtime } = await startWithDrive(files('prices.txt', 'old prices.txt'), file('Crane: 90'));
    expect(await runtime.say('read Prices.txt')).toBe('prices.txt:\nCrane: 90');
    expect(await runtime.say('read prices')).toBe(
      'Which of them?\n• prices.txt, https://d/1\n• old prices.txt, https://d/2',
    );
  });

  it('says why it cannot read a file, and cuts a long one', async () => {
    const binary = await startWithDrive(files('plan.pdf'), file('JVBERi0=', 'base64'));
    expect(await binary.runtime.say('read plan')).toBe('I cannot read plan.pdf: it is no text.');
    const large = await startWithDrive(files('a'), { status: 413, body: { detail: 'Too large' } });
    expect(await large.runtime.say('read a')).toBe('That file is too large for me to read.');
    const long = await startWithDrive(files('a'), file('x'.repeat(20_000)));
    expect(await long.runtime.say('read a')).toMatch(/^a:\nx{12000}\n… \(cut/);
    const none = await startWithDrive(files(), file(''));
    expect(await none.runtime.say('read a')).toBe('I found no file named a.');
  });
});

it('sends the model the instructions of the customer’s rules', async () => {
  const llm = await startLlm(says('Hello.'));
  const runtime = await startRuntime({ llmUrl: llm.url });
  configure(
    runtime,
    { system_prompt: 'Be brief.' },
    { instructions: ['Never name a price.', 7, ''], own: 1 },
  );
  await runtime.say('Good morning, who are you?');
  const system = llm.requests()[0]?.messages[0]?.content;
  expect(system).toMatch(/^Be brief\.\n\nRules that you always keep:\n- Never name a price\.\n\nIt is /);
});

it('answers in the channels of the configuration, and in the playground always', async () => {
  const runtime = await startRuntime();
  const answers = async (channel_types: unknown[], channel: string) => {
    const before = runtime.controlPlane.texts().length;
    configure(runtime, { channel_types });
    runtime.advance(60_000);
    const { status } = await runtime.deliver(messageOf('help', undefined, { channel }));
    expect(status).toBe(200);
    return runtime.controlPlane.texts().length > before;
  };
  expect(await answers(['chatapp'], 'chatapp')).toBe(true);
  expect(await answers(['chatapp'], 'playground')).toBe(true);
  expect(await answers([{ type: 'playground' }], 'chatapp')).toBe(false);
  expect(await answers(['voice'], 'chatapp')).toBe(true);
  expect(await answers([], 'chatapp')).toBe(true);
});
