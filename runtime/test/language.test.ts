import { describe, expect, it } from 'vitest';
import { consentIn, verificationReply } from '../src/commands.ts';
import { chatOf, hidden } from '../src/history.ts';
import { languageOf, languages } from '../src/language.ts';
import { en, type SentenceKey } from '../src/sentences/en.ts';
import { startLlm } from './support/fake-llm.ts';
import { messageOf, startRuntime } from './support/runtime.ts';

const keys = Object.keys(en) as SentenceKey[];
const others = Object.entries(languages).filter(([language]) => language !== 'en');
const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted();

describe.each(others)('%s', (locale, sentences) => {
  it('has every sentence, with the same placeholders', () => {
    expect(Object.keys(sentences).toSorted()).toEqual(keys.toSorted());
    for (const key of keys) {
      expect([key, ...placeholders(sentences[key])]).toEqual([key, ...placeholders(en[key])]);
      expect([key, sentences[key].trim() === '']).toEqual([key, false]);
    }
  });

  it('keeps the commands that people type', () => {
    const commands =
      /verify yes|verify no|verify <code>|set pin <|\bhelp\b|my (?:shifts|jobs|certs|timesheets)/g;
    for (const key of keys) {
      const typed = [...new Set(en[key].match(commands))].toSorted();
      expect([key, ...new Set(sentences[key].match(commands))].toSorted()).toEqual(
        [key, ...typed].toSorted(),
      );
    }
  });

  it('asks for the yes and the no that it understands', () => {
    for (const key of ['worker_unverified', 'verification_refused', 'confirm'] as const)
      expect(sentences[key]).toMatch(new RegExp(`[“«‘] ?${sentences.yes} ?[”»’]|„${sentences.yes}“`));
    const language = languageOf({ locale });
    expect([consentIn(sentences.yes, language), verificationReply(sentences.no, language)]).toEqual([
      'yes',
      'no',
    ]);
  });

  it('asks for codes in words after which no model reads the reply', () => {
    for (const key of [
      'worker_unverified',
      'verification_refused',
      'pin_ask',
      'pin_again',
      'pin_alone',
    ] as const) {
      const asked = `${sentences.pin_wrong} ${sentences[key]}`;
      const history = [
        { author: 'agent', text: key.startsWith('pin') ? asked : sentences[key] },
        { author: 'sender', text: 'ab1234' },
      ] as const;
      expect([key, JSON.stringify(chatOf(history, [], 'x')).includes(hidden)]).toEqual([key, true]);
    }
  });
});

async function start(locale: string | null, llmUrl?: string) {
  const runtime = await startRuntime(llmUrl === undefined ? {} : { llmUrl });
  const { routes } = runtime.controlPlane;
  routes.set('GET /worker/me/timesheets', () => ({ status: 200, body: [] }));
  routes.set('POST /worker/me/timesheet', ({ body }) => ({ status: 201, body: { ...(body as object) } }));
  const say = async (text: string | null, fields: object = {}) => {
    await runtime.deliver(messageOf(text, undefined, { locale, ...fields }));
    return runtime.controlPlane.texts().at(-1);
  };
  return { ...runtime, say };
}

it.each([
  [null, 'I did not understand that. Send "help" to see what I can do.'],
  ['ja-JP', 'I did not understand that. Send "help" to see what I can do.'],
  ['no such locale', 'I did not understand that. Send "help" to see what I can do.'],
  ['en-US', 'I did not understand that. Send "help" to see what I can do.'],
  ['de-AT', 'Das habe ich nicht verstanden. Senden Sie „help“, um zu sehen, was ich kann.'],
  ['pt-BR', 'Não entendi. Envie “help” para ver o que sei fazer.'],
])('with the locale %s, the sender is answered in its language', async (locale, answer) => {
  const { say } = await start(locale);
  expect(await say('tralala')).toBe(answer);
});

it('a question is asked and confirmed in the sender’s language, with numbers and dates in its form', async () => {
  const { say } = await start('de');
  expect(await say('log 7,5 hours on 2026-11-30')).toBe(
    'Dieser Tag kommt erst noch. Senden Sie „ja“, um trotzdem 7,5 Stunden am 30. November einzutragen.',
  );
  expect(await say('Ja!')).toBe(
    '7,5 Stunden am 30.11.2026 eingetragen. Für diesen Tag sind es jetzt 7,5 Stunden.',
  );
  expect(await say('log 1 hour on 2026-11-30')).toContain('1 Stunde am');
  expect(await say('nein')).toBe('In Ordnung, ich lasse es, wie es ist.');
});

it('what the agent cannot do is said in the sender’s language', async () => {
  const llm = await startLlm({ status: 500 });
  const { say } = await start('fr', llm.url);
  expect(await say('bonjour')).toContain('Je ne peux pas y réfléchir pour le moment.');
  const audio = { kind: 'audio', media: [{ id: '1', mime_type: 'audio/ogg' }] };
  expect(await say(null, audio)).toContain('Je ne peux pas écouter de messages vocaux ici.');
  expect(await say('talk to a human')).toContain('Je transmets ceci à une personne');
  expect(await say('stop')).toContain('je ne vous écris plus de moi-même');
});

it('every language has forms for hours, days and times', () => {
  for (const locale of Object.keys(languages)) {
    const { hours, days, date, dayInWords } = languageOf({ locale });
    expect([hours(1), hours(7.5), days(2)].join()).toMatch(/^1\D+,7[.,]5\D+,2\D+$/);
    expect(date('2026-11-30')).toContain('30');
    expect(dayInWords('2026-11-30', '2026-11-01')).not.toContain('2026');
  }
});
