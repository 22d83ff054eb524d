import { expect, it } from 'vitest';
import { readTriggers } from './trigger-templates.ts';

const trigger = { name: 'morning', schedule: '0 8 * * 1', prompt: 'Say good morning', to: '4915112345678' };
const read = (...trigger_templates: unknown[]) => readTriggers({ trigger_templates });

it('reads triggers and makes their names unique', () => {
  const template = { name: 'reminder', language: 'en' };
  expect(read(trigger, { ...trigger, template, more: 1 })).toEqual([
    { ...trigger, template: undefined },
    { ...trigger, name: 'morning (2)', template: { ...template, parameters: [] } },
  ]);
});

it.each([
  ['a text', 'morning'],
  ['seconds', { ...trigger, schedule: '0 0 8 * * 1' }],
  ['an invalid minute', { ...trigger, schedule: '61 * * * *' }],
  ['a day that never comes', { ...trigger, schedule: '0 0 30 2 *' }],
  ['no prompt', { ...trigger, prompt: undefined }],
  ['an empty name', { ...trigger, name: '' }],
  ['a number to write to', { ...trigger, to: 49 }],
])('omits one with %s', (_, element) => {
  expect(read(element, trigger)).toEqual([{ ...trigger, template: undefined }]);
});

it('omits an invalid template, and reads nothing from a value that is not a list', () => {
  expect(read({ ...trigger, template: { name: 'x' } })).toEqual([{ ...trigger, template: undefined }]);
  expect(readTriggers({ trigger_templates: { 0: trigger } })).toEqual([]);
});
