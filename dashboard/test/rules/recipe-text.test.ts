import { describe, expect, it } from 'vitest';
import { placeOf, readText, textOfContent } from '../../src/rules/recipe-text.ts';

const CONTENT = { name: 'Desk', system_prompt: 'One\nTwo', skills: ['faq', { slug: 'timesheet' }] };

it.each(['yaml', 'json'] as const)('goes to %s and back', (language) => {
  expect(readText(textOfContent(CONTENT, language), language)).toEqual({ content: CONTENT, faults: [] });
});

it('writes a prompt as lines', () => {
  expect(textOfContent(CONTENT, 'yaml')).toContain('system_prompt: |-\n  One\n  Two\n');
});

it('begins elements with their name, and a week with Monday', () => {
  const content = {
    channel_config: { business_hours: { fri: [], mon: [] } },
    mcp_servers: [{ url: 'https://crm.example', name: 'crm' }],
  };
  expect(textOfContent(content, 'yaml')).toMatch(/mon: \[\]\n +fri: \[\]\n.*\n +- name: crm\n +url/);
});

describe('a text that is no recipe', () => {
  it.each([
    ['yaml', 'name: [', /./],
    ['json', 'name: Desk', /not JSON/],
    ['yaml', '- a', /has fields/],
    ['yaml', 'name: Desk\nskils: [faq]', /no field skils/],
  ] as const)('says why in %s: %j', (language, text, message) => {
    const { content, faults } = readText(text, language);
    expect(content).toBeUndefined();
    expect(faults[0]?.message).toMatch(message);
  });

  it('shows where', () => {
    expect(readText('name: Desk\nskils: [faq]', 'yaml').faults).toMatchObject([{ from: 11, to: 16 }]);
  });
});

it('finds the place of a value, else of what is around it', () => {
  const text = 'name: Desk\nskills: [faq, timesheet]';
  expect(text.slice(...Object.values(placeOf(text, ['skills', '1'])))).toBe('timesheet');
  expect(text.slice(...Object.values(placeOf(text, ['skills', '7', 'slug'])))).toBe('[faq, timesheet]');
});
