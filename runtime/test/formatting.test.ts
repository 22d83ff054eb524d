import { expect, it } from 'vitest';
import { growthOf, LESS_THAN_QUADRATIC } from '../../server/test/support/growth.ts';
import { toChannelFormatting } from '../src/formatting.ts';

it.each([
  ['bold and __bold__', '**bold** and __bold__', '*bold* and *bold*'],
  ['italic', '*one* and _two_', '_one_ and _two_'],
  ['both', '***both***', '_*both*_'],
  ['a strike', '~~gone~~', '~gone~'],
  ['code', 'Run `npm start` now', 'Run ```npm start``` now'],
  ['a block of code', '```js\nlet a = 1;\n```', '```let a = 1;```'],
  ['a heading', '# Your *day*\nBusy.', '*Your _day_*\n\nBusy.'],
  ['a bold heading', '## **Hours**', '*Hours*'],
  ['a link', 'See [the plan](https://d.example/1).', 'See the plan (https://d.example/1).'],
  [
    'a bare link',
    'See https://d.example/1 or <https://d.example/2>',
    'See https://d.example/1 or https://d.example/2',
  ],
  ['an address', '[ops@d.example](mailto:ops@d.example)', 'ops@d.example'],
  ['a picture', '![map](https://d.example/m.png)', 'map (https://d.example/m.png)'],
  ['a list', '- **a**\n- b\n  - c', '• *a*\n• b\n  • c'],
  ['a numbered list', '3. a\n4. b', '3. a\n4. b'],
  ['a list of tasks', '- [x] done\n- [ ] open', '☑ done\n☐ open'],
  ['a table', '| Day | Site |\n|---|---|\n| Mon | **Dock** |', '*Day | Site*\nMon | *Dock*'],
  ['a quote', '> said\n> so', '> said\n> so'],
  ['a line', 'a\n\n---\n\nb', 'a\n\n———\n\nb'],
  ['lines', 'one\ntwo\n\nthree', 'one\ntwo\n\nthree'],
  ['what is no Markdown', '5 * 3 < 20 & "fine" 2026-11-20', '5 * 3 < 20 & "fine" 2026-11-20'],
  ['snake_case and escapes', 'my_file_name \\*literal\\*', 'my_file_name *literal*'],
  ['tags', 'a <b>bold</b> word', 'a <b>bold</b> word'],
])('turns %s into what the channel shows', (_name, markdown, text) => {
  expect(toChannelFormatting(markdown)).toBe(text);
});

it.each(['*a_', '> ', '- ', '[a](', 'x'])('takes linear time for many %j', async (part) => {
  const convert = (times: number) => Promise.resolve(toChannelFormatting(part.repeat(times)));
  expect(await growthOf(convert, 20_000)).toBeLessThan(LESS_THAN_QUADRATIC);
});
