import { Cron } from 'croner';
import Type from 'typebox';
import { isJsonObject, type JsonObject } from '../../platform/json/json-object.ts';
import type { ActingKeys } from './acting-key.ts';
import { readKey } from './read-key.ts';

const words = (maxLength: number) =>
  ({
    by: 'control_plane',
    shape: Type.String({ minLength: 1, maxLength }),
    expected: `a text of 1 to ${maxLength} characters`,
  }) as const;

const Template = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  language: Type.String({ minLength: 1, maxLength: 20 }),
  parameters: Type.Optional(Type.Array(Type.String({ maxLength: 1024 }), { maxItems: 50 })),
});

/** The keys of each element, which needs all but the template. */
export const TRIGGER_TEMPLATES_KEYS = {
  name: words(200),
  schedule: { ...words(200), expected: 'a time as cron writes it, as "0 8 * * 1"', isValid: isCron },
  prompt: words(16_384),
  to: { ...words(255), expected: 'an address of an identity or of a worker' },
  template: {
    by: 'control_plane',
    shape: Template,
    expected: 'an object with name, language and a list of parameters',
  },
} satisfies ActingKeys;

/** Has the agent say something by itself. */
export interface Trigger {
  /** Unlike the names of all others of the configuration. */
  name: string;
  schedule: string;
  prompt: string;
  to: string;
  /** Sent in place of the answer while the channel takes no free text. */
  template: { name: string; language: string; parameters: string[] } | undefined;
}

/** The triggers of a configuration; those that lack a part, or have a broken one, are left out. */
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

/** Five fields: a trigger has no seconds. A time that never comes is none. */
function isCron(value: unknown): boolean {
  try {
    return new Cron(String(value), { paused: true, mode: '5-part' }).nextRun() !== null;
  } catch {
    return false;
  }
}
