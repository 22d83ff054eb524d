import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createAnswered, rememberNothing } from '../src/answered.ts';
import { createInbox } from '../src/inbox.ts';
import { createLog } from '../src/log.ts';
import { parseMessage } from '../src/message.ts';
import { messageOf } from './support/runtime.ts';

const inbound = (message_id: string, message_ids = [message_id]) => {
  const message = parseMessage(messageOf('help', undefined, { message_id, message_ids }));
  return 'message_id' in message ? message : expect.fail('not a message');
};

function startInbox(answered = rememberNothing()) {
  let answers = 0;
  const receive = createInbox({
    answer: () => Promise.resolve({ text: `hello ${++answers}`, tool_calls: [] }),
    deliver: () => Promise.resolve({ result: 'answered', status: 202 }),
    showReading: () => undefined,
    answered,
    log: createLog('error', () => undefined),
  });
  return { receive, answers: () => answers };
}

it('remembers the 10,000 most recently used messages', async () => {
  const { receive, answers } = startInbox();
  for (let n = 0; n < 10_000; n += 1) expect(await receive(inbound(`id-${n}`))).toBe('answered');
  expect(await receive(inbound('id-0'))).toBe('duplicate');
  expect(answers()).toBe(10_000);
  expect(await receive(inbound('one more'))).toBe('answered');
  expect(await receive(inbound('id-1'))).toBe('answered');
  expect(await receive(inbound('id-9999'))).toBe('duplicate');
});

it('treats a burst as another message than its first one', async () => {
  const { receive, answers } = startInbox();
  expect(await receive(inbound('first'))).toBe('answered');
  expect(await receive(inbound('first', ['first', 'second']))).toBe('answered');
  expect(await receive(inbound('first', ['first', 'second']))).toBe('duplicate');
  expect(answers()).toBe(2);
});

it('remembers answered messages after a restart, even if the last line is incomplete', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'acp-answered-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const before = startInbox(createAnswered(directory));
  expect(await before.receive(inbound('kept'))).toBe('answered');
  await appendFile(join(directory, 'answered'), '0123');
  const after = startInbox(createAnswered(directory));
  expect(await after.receive(inbound('kept'))).toBe('duplicate');
  expect(await after.receive(inbound('new'))).toBe('answered');
  expect(after.answers()).toBe(1);
  expect(await readFile(join(directory, 'answered'), 'utf8')).toMatch(/^(?:[0-9a-f]{32}\n){2}$/);
});
