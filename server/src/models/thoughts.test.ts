import fc from 'fast-check';
import { expect, it } from 'vitest';
import { growthOf, LESS_THAN_QUADRATIC } from '../../test/support/growth.ts';
import { splitThoughts, ThoughtSplitter } from './thoughts.ts';

/** With searches that begin anew at each tag. */
function simpleSplit(text: string) {
  const told = { content: '', reasoning: '', isUnopened: false };
  let hasThought = false;
  for (let rest = text; ; hasThought = true) {
    const tagged = /^\s*(?:<think>([\s\S]*?)(?:<\/think>|$)|\[think\]([\s\S]*?)(?:\[\/think\]|$))/i.exec(
      rest,
    );
    if (!tagged && hasThought) rest = rest.trimStart();
    const lone = tagged ? null : /^((?:(?!<think>)[\s\S])*?)<\/think>/i.exec(rest);
    if (tagged) told.reasoning += tagged[1] ?? tagged[2];
    else told[lone && !hasThought ? 'reasoning' : 'content'] += lone ? lone[1] : rest;
    if (lone) told.isUnopened = true;
    const read = tagged ?? lone;
    if (!read) break;
    rest = rest.slice(read[0].length);
  }
  told.content = told.content.replaceAll(/<think>([\s\S]*?)<\/think>\s*/gi, (_all, thought: string) => {
    told.reasoning += thought;
    return '';
  });
  return told;
}

const SYLLABLES = [
  '<think>',
  '</think>',
  '<THINK>',
  '[think]',
  '[/think]',
  ' ',
  '\n',
  'a',
  'İ',
  '<th',
  'ink>',
  '</',
];
const Pieces = fc.array(fc.constantFrom(...SYLLABLES), { maxLength: 14 });

it('tells thoughts apart as a search from each tag does', () => {
  fc.assert(
    fc.property(Pieces, (pieces) => {
      const text = pieces.join('');
      expect(splitThoughts(text)).toEqual(simpleSplit(text));
    }),
    { numRuns: 2000 },
  );
});

it('tells the same of a text in pieces as of the whole', () => {
  fc.assert(
    fc.property(Pieces, fc.integer({ min: 1, max: 9 }), fc.boolean(), (pieces, size, isHeld) => {
      const text = pieces.join('');
      const read = (cuts: readonly string[]) => {
        const splitter = new ThoughtSplitter(isHeld);
        const told = [...cuts.map((cut) => splitter.push(cut)), splitter.end()];
        return [told.map(({ content }) => content).join(''), told.map((one) => one.reasoning).join('')];
      };
      expect(read(text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [])).toEqual(read([text]));
    }),
    { numRuns: 2000 },
  );
});

const inPieces = (text: string) => {
  const splitter = new ThoughtSplitter(false);
  for (let at = 0; at < text.length; at += 64) splitter.push(text.slice(at, at + 64));
};

it.each([
  ['openings without an end', splitThoughts, (size: number) => `x${'<think>'.repeat(size)}`],
  ['ends without an opening', splitThoughts, (size: number) => 'a</think>'.repeat(size)],
  ['thoughts without a word', splitThoughts, (size: number) => '<think></think>'.repeat(size)],
  ['blanks in small pieces', inPieces, (size: number) => ' '.repeat(16 * size)],
  ['beginnings of tags in small pieces', inPieces, (size: number) => '<thin'.repeat(4 * size)],
])('takes time that grows with the length of %s', async (_name, read, textOf) => {
  expect(await growthOf((size) => read(textOf(size)), 4000)).toBeLessThan(LESS_THAN_QUADRATIC);
});
