import { expect, it } from 'vitest';
import { planLines, wordsOf } from '../../src/rules/plan-lines.ts';

it('has a line for each field and each part on which another acts, in the order of the form', () => {
  const lines = planLines(
    {
      resolved_config: {
        voice_config: { tone: 'calm' },
        skills: ['staff_query', { slug: 'timesheet', pin_required: true }],
        channel_config: { greeting: 'Hello', colour: 'red' },
        approval_rules: { require: [{ tool: 'crm__book', by: 'person' }] },
      },
      effects: {
        '/voice_config': 'nobody',
        '/channel_config/colour': 'nobody',
        '/channel_config': 'control_plane',
        '/skills': 'runtime',
        '/skills/1/pin_required': 'control_plane',
        '/approval_rules': 'control_plane',
      },
      provenance: {
        '/voice_config': 'recipe',
        '/channel_config': 'platform',
        '/skills': 'recipe',
        '/approval_rules': 'recipe',
      },
    },
    { channel_config: { greeting: 'Hello' }, skills: ['staff_query'] },
  );
  expect(lines.map(({ name, value, actor, origin }) => [name, value, actor, origin])).toEqual([
    ['skills', 'staff_query, timesheet', 'runtime', 'override'],
    ['timesheet.pin_required', 'true', 'control_plane', 'override'],
    ['approval_rules', 'require crm__book → a person', 'control_plane', 'recipe'],
    ['channel_config', 'greeting Hello, colour red', 'control_plane', 'override'],
    ['colour', 'red', 'nobody', 'platform'],
    ['voice_config', 'tone calm', 'nobody', 'recipe'],
  ]);
});

it.each([
  ['a\n  b', 'a b'],
  [[{ provider: 'chatapp' }, { name: 'crm', url: 'https://crm.example' }], 'chatapp, crm'],
  [{ retention_days: 30, disclaimer: 'x'.repeat(50), pin: null }, 'retention_days 30, disclaimer, pin'],
  ['x'.repeat(200), `${'x'.repeat(160)}…`],
])('says %j in one line', (value, words) => {
  expect(wordsOf(value)).toBe(words);
});
