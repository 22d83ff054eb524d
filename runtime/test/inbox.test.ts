import { expect, it } from 'vitest';
import { createInbox } from '../src/inbox.ts';
import { createLog } from '../src/log.ts';
import { parseMessage } from '../src/message.ts';
import { messageOf } from './support/runtime.ts';

const inbound = (message_id: string) => {
  const message = parseMessage(messageOf('help', undefined, { message_id }));
  return 'message_id' in message ? message : expect.fail('not a message');
};

it('remembers the 10,000 messages that were used last', async () => {
  let sent = 0;
  const receive = createInbox({
    answer: () => Promise.resolve('hello'),
    send: () => {
      sent += 1;
      return Promise.resolve({ result: 'accepted', status: 200 });
    },
    tokenOf: () => Promise.resolve('token'),
    log: createLog('error', () => undefined),
  });
  for (let n = 0; n < 10_000; n += 1) expect(await receive(inbound(`id-${n}`))).toBe('answered');
  expect(await receive(inbound('id-0'))).toBe('duplicate');
  expect(sent).toBe(10_000);
  expect(await receive(inbound('one more'))).toBe('answered');
  expect(await receive(inbound('id-1'))).toBe('answered');
  expect(await receive(inbound('id-9999'))).toBe('duplicate');
});
