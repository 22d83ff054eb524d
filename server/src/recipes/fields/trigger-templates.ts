import Type from 'typebox';
import { isJsonObject, type JsonObject } from '../../platform/json/json-object.ts';
import type { ActingKeys } from './acting-key.ts';
import { isCronTime } from './cron-times.ts';
import { readKey } from './read-key.ts';

const text = (maxLength: number) =>
  ({
    by: 'control_plane',
    shape: Type.String({ minLength: 1, maxLength }),
    expected: `a text of 1 to ${maxLength} characters`,
  }) as const;

export const LONGEST_PROMPT = 16_384;

const Template = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  language: Type.String({ minLength: 1, maxLength: 20 }),
  parameters: Type.Optional(Type.Array(Type.String({ maxLength: 1024 }), { maxItems: 50 })),
});

/** All keys except the template are required. */
export const TRIGGER_TEMPLATES_KEYS = {
  name: text(200),
  schedule: {
    ...text(200),
    expected: 'a time as cron writes it, as "0 8 * * 1"',
    isValid: (value: unknown) => isCronTime(String(value)),
  },
  prompt: text(LONGEST_PROMPT),
  to: { ...text(255), expected: 'an address of an identity or of a worker' },
  template: {
    by: 'control_plane',
    shape: Template,
    expected: 'an object with name, language and a list of parameters',
  },
} satisfies ActingKeys;

/** Makes the agent start a conversation. */
export interface Trigger {
  /** Unique within the configuration. */
  name: string;
  schedule: string;
  prompt: string;
  to: string;
  /** Sent instead of the answer when the channel accepts no free text. */
  template: { name: string; language: string; parameters: string[] } | undefined;
}

/** Omits triggers with missing or invalid parts. */
export function readTriggers({ trigger_templates }: JsonObject): Trigger[] {
  const seen = new Map<string, number>();
  return (Array.isArray(trigger_templates) ? trigger_templates : []).flatMap((element: unknown) => {
    const trigger = readTrigger(element);
    if (!trigger) return [];
    const count = (seen.get(trigger.name) ?? 0) + 1;
    seen.set(trigger.name, count);
    return [count === 1 ? trigger : { ...trigger, name: `${trigger.name} (${count})` }];
  });
}

function readTrigger(element: unknown): Trigger | undefined {
  if (!isJsonObject(element)) return undefined;
  const keys = TRIGGER_TEMPLATES_KEYS;
  const name = readKey(keys.name, element.name);
  const schedule = readKey(keys.schedule, element.schedule);
  const prompt = readKey(keys.prompt, element.prompt);
  const to = readKey(keys.to, element.to);
  if (name === undefined || schedule === undefined || prompt === undefined || to === undefined)
    return undefined;
  const template = readKey(keys.template, element.template);
  return { name, schedule, prompt, to, template: template && { parameters: [], ...template } };
}
