import { expect, it } from 'vitest';
import { converse } from '../src/conversation.ts';

const ASKS_FOR_PIN = 'To log hours, please send your PIN.';
const ASKS_WHOSE =
  'This address is not verified yet. Reply "yes" to confirm that it is yours; "no" if it is not yours.';

/** @returns the texts after two questions */
async function textsSentTo(answers: string[], pin: string): Promise<string[]> {
  const sent: string[] = [];
  const script = ['I can do this: …', 'Nobody active can forklift.', ...answers];
  await converse(async (text) => {
    sent.push(text);
    return script.shift() ?? expect.fail(`unexpected text after ${sent.join(', ')}`);
  }, pin);
  return sent.slice(2);
}

it.each([
  ['an agent that asks for no PIN', ['Logged 2 hours on 2026-11-20.'], '4711', []],
  ['an agent that asks for the PIN', [ASKS_FOR_PIN, 'Logged 2 hours on 2026-11-20.'], '4711', ['4711']],
  [
    'an agent that asks for the PIN and a verification',
    [
      ASKS_FOR_PIN,
      ASKS_WHOSE,
      'Thank you, Ana. This address is verified now.',
      'Logged 2 hours on 2026-11-20.',
    ],
    '4711',
    ['4711', 'yes', 'log 2 hours'],
  ],
  [
    'an agent that never stops asking',
    Array<string>(5).fill(ASKS_FOR_PIN),
    '4711',
    Array<string>(4).fill('4711'),
  ],
])('answers the questions of %s', async (_who, answers, pin, sent) => {
  expect(await textsSentTo(answers, pin)).toEqual(['log 2 hours', ...sent]);
});
