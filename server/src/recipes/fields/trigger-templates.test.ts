import { expect, it } from 'vitest';
import { readTriggers } from './trigger-templates.ts';

const trigger = { name: 'morning', schedule: '0 8 * * 1', prompt: 'Say good morning', to: '4915112345678' };
const read = (...trigger_templates: unknown[]) => readTriggers({ trigger_templates });

it('reads triggers, and gives those of one name names of their own', () => {
  const template = { name: 'reminder', language: 'en' };
  expect(read(trigger, { ...trigger, template, more: 1 })).toEqual([
    { ...trigger, template: undefined },
    { ...trigger, name: 'morning (2)', template: { ...template, parameters: [] } },
  ]);
});

it.each([
  ['a text', 'morning'],
  ['seconds', { ...trigger, schedule: '0 0 8 * * 1' }],
  ['a minute that there is not', { ...trigger, schedule: '61 * * * *' }],
  ['a day that never comes', { ...trigger, schedule: '0 0 30 2 *' }],
  ['no prompt', { ...trigger, prompt: undefined }],
  ['an empty name', { ...trigger, name: '' }],
  ['a number to write to', { ...trigger, to: 49 }],
])('leaves out one with %s', (_, element) => {
  expect(read(element, trigger)).toEqual([{ ...trigger, template: undefined }]);
});

it('leaves out a broken template, and reads nothing from what is no list', () => {
  expect(read({ ...trigger, template: { name: 'x' } })).toEqual([{ ...trigger, template: undefined }]);
  expect(readTriggers({ trigger_templates: { 0: trigger } })).toEqual([]);
});
