import { expect, it } from 'vitest';
import { at } from '../src/json.ts';
import { answerRoute, handoverRoute } from './support/fake-control-plane.ts';
import { calls, says, startLlm } from './support/fake-llm.ts';
import { messageOf, startRuntime, type TestRuntime } from './support/runtime.ts';

interface Sent {
  text: string;
  buttons?: { id: string; title: string }[];
  options?: { button: string; items: { id: string; title: string; description?: string }[] };
}

const lastAnswer = ({ controlPlane }: TestRuntime): Sent => controlPlane.to(answerRoute).at(-1)?.body as Sent;
const ask = async (runtime: TestRuntime, text: string, locale?: string): Promise<Sent> => {
  await runtime.deliver(messageOf(text, undefined, { locale }));
  return lastAnswer(runtime);
};
const tap = async (runtime: TestRuntime, { id, title }: { id: string; title: string }): Promise<Sent> => {
  await runtime.deliver(messageOf(title, undefined, { kind: 'button_reply', reply_id: id }));
  return lastAnswer(runtime);
};

async function withHours() {
  const runtime = await startRuntime();
  const logged: unknown[] = [];
  runtime.controlPlane.routes.set('POST /worker/me/timesheet', ({ body }) => {
    logged.push(at(body, 'hours'));
    return { status: 201, body: {} };
  });
  return { runtime, logged };
}

it('asks a yes-or-no question with two buttons, in the sender’s language', async () => {
  const { runtime, logged } = await withHours();
  const { buttons = [] } = await ask(runtime, 'log 1 hour on 2031-01-02', 'de-DE');
  expect(buttons.map(({ title }) => title)).toEqual(['Ja', 'Nein']);
  const [yes] = buttons;
  expect((await tap(runtime, yes ?? expect.unreachable())).text).toMatch(/^Logged /);
  expect(logged).toEqual([1]);
});

it('takes a tap for the question under which it stands alone', async () => {
  const { runtime, logged } = await withHours();
  const [first] = (await ask(runtime, 'log 1 hour on 2031-01-02')).buttons ?? [];
  const [second] = (await ask(runtime, 'log 2 hours on 2031-01-03')).buttons ?? [];
  expect((await tap(runtime, first ?? expect.unreachable())).text).toContain('did not understand');
  expect(logged).toEqual([]);
  await tap(runtime, second ?? expect.unreachable());
  expect(logged).toEqual([2]);
});

it('offers a person where it does not understand, and hands over after the tap', async () => {
  const runtime = await startRuntime();
  const { buttons = [] } = await ask(runtime, 'the moon is green', 'fr-FR');
  expect(buttons).toEqual([{ id: 'say:talk to a human', title: 'Parler à quelqu’un' }]);
  await tap(runtime, buttons[0] ?? expect.unreachable());
  expect(runtime.controlPlane.to(handoverRoute)).toHaveLength(1);
  expect((await ask(runtime, 'help')).buttons).toHaveLength(1);
});

it('asks with the choices of a model, which reads the title of a tap', async () => {
  const choices = [{ title: 'Monday' }, { title: 'Tuesday' }, { title: 'Monday' }];
  const llm = await startLlm(
    calls('offer_choices', { text: 'Which *day*?', choices }),
    says('Tuesday it is.'),
  );
  const runtime = await startRuntime({ llmUrl: llm.url });
  expect(await ask(runtime, 'I need a day off')).toMatchObject({
    text: 'Which _day_?',
    buttons: [
      { id: 'choice:1', title: 'Monday' },
      { id: 'choice:2', title: 'Tuesday' },
    ],
  });
  expect(llm.seen).toHaveLength(1);
  expect((await tap(runtime, { id: 'choice:2', title: 'Tuesday' })).text).toBe('Tuesday it is.');
  expect(llm.requests().at(-1)?.messages.at(-1)?.content).toBe('Tuesday');
});

it('shows many or long choices of a model as a list', async () => {
  const long = 'A title that is much longer than a row of a list';
  const many = Array.from({ length: 12 }, (_, index) => `Day ${index}`);
  const llm = await startLlm(calls('offer_choices', { text: 'Which?', choices: [long, ...many] }));
  const runtime = await startRuntime({ llmUrl: llm.url });
  const { options } = await ask(runtime, 'I need a day off');
  expect(options?.button).toBe('Choose');
  expect(options?.items).toHaveLength(10);
  expect(options?.items[0]).toEqual({ id: 'choice:1', title: 'A title that is much lo…', description: long });
});

it('tells a model that gives no choices', async () => {
  const llm = await startLlm(
    calls('offer_choices', { text: 'Which?', choices: ['one'] }),
    says('Which one?'),
  );
  const runtime = await startRuntime({ llmUrl: llm.url });
  expect(await ask(runtime, 'I need a day off')).toMatchObject({ text: 'Which one?' });
  expect(llm.requests().at(-1)?.messages.at(-1)?.content).toBe('Give two choices or more.');
});
