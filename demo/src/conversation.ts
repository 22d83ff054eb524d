import { randomBytes } from 'node:crypto';
import type { SentText } from './chatapp-emulator.ts';
import type { Demo } from './demo.ts';
import { DemoError } from './errors.ts';
import { callWebhook, signatureOf, textMessage } from './webhook.ts';

type Say = (text: string) => Promise<string>;

const ANSWER_TIMEOUT_MS = 30_000;
const MAX_REPLIES = 4;

export async function converse(say: Say, pin: string): Promise<void> {
  await say('help');
  await say('who can forklift');
  const request = 'log 2 hours';
  let answer = await say(request);
  for (let count = 0; count < MAX_REPLIES; count++) {
    const reply = replyTo(answer, request, pin);
    if (reply === undefined) return;
    answer = await say(reply);
  }
}

function replyTo(answer: string, request: string, pin: string): string | undefined {
  if (/send your PIN/i.test(answer)) return pin;
  if (/reply "yes"/i.test(answer)) return 'yes';
  if (/is verified now/i.test(answer)) return request;
  return undefined;
}

/** The answer arrives at the channel's send API. */
export const sayThroughWebhook =
  (demo: Demo): Say =>
  async (text) => {
    const { credentials, screen, scenario, step, signal } = demo;
    const { app_secret, pin } = scenario;
    const id = `wamid.${randomBytes(24).toString('base64url')}`;
    const bytes = textMessage(scenario, { id, text, at: new Date() });
    screen.bubble('you', text === pin ? '•'.repeat(pin.length) : text);
    const answer = await step(
      'Signed webhook, answer',
      async () => {
        const headers = {
          'content-type': 'application/json',
          'x-hub-signature-256': signatureOf(bytes, app_secret),
        };
        await callWebhook(credentials.base_url, { method: 'POST', headers, body: bytes }, signal);
        return await nextAnswer(demo);
      },
      () => `${bytes.length} bytes, ${id.slice(0, 22)}…`,
    );
    screen.bubble('agent', [answer.text, ...answer.choices.map((title) => `[ ${title} ]`)].join('\n'));
    return answer.text;
  };

async function nextAnswer({ emulator, scenario, signal }: Demo): Promise<SentText> {
  const timeout = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  try {
    for (;;) {
      const answer = await emulator.nextText(AbortSignal.any([signal, timeout]));
      if (answer.to === scenario.sender) return answer;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!timeout.aborted) throw error;
    throw new DemoError(
      `The message was accepted, but no answer came within ${ANSWER_TIMEOUT_MS / 1000} s. See last_error in GET /v1/channel-messages`,
    );
  }
}
