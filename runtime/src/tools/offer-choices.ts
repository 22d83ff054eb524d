import { type Choices, most } from '../choices.ts';
import { toChannelFormatting } from '../formatting.ts';
import { at, textOf } from '../json.ts';
import { languageOf } from '../language.ts';
import type { Tool } from './tool.ts';

export const offerChoices: Tool = {
  name: 'offer_choices',
  description:
    'Asks the sender to choose one of some answers by a tap. This is your whole answer: say nothing after it. The choice comes as the sender’s next message.',
  action: (_args, { message }) => languageOf(message).say('to_help'),
  parameters: {
    type: 'object',
    properties: {
      text: { type: 'string', description: 'What is asked' },
      choices: {
        type: 'array',
        minItems: 2,
        maxItems: most.options,
        items: {
          type: 'object',
          properties: {
            title: { type: 'string', maxLength: most.optionTitle },
            description: { type: 'string', maxLength: most.description },
          },
          required: ['title'],
          additionalProperties: false,
        },
      },
    },
    required: ['text', 'choices'],
    additionalProperties: false,
  },
  run: async ({ message }, args) => {
    const text = textOf(args['text'])?.trim() ?? '';
    if (text === '') return { text: '', for_model: 'The text is missing.' };
    // The playground renders Markdown.
    const shown = message.channel === 'playground' ? text : toChannelFormatting(text);
    const choices = choicesOf(args['choices'], languageOf(message).say('choose'));
    return choices === undefined
      ? { text: '', for_model: 'Give two choices or more.' }
      : { text: shown, choices, ends_exchange: true };
  },
};

interface Titled {
  title: string;
  description: string | undefined;
}

/** Models repeat themselves and write too much. undefined for fewer than two. */
function choicesOf(value: unknown, button: string): Choices | undefined {
  const all = (Array.isArray(value) ? value : []).map(titled).filter(({ title }) => title !== '');
  const unique = all.filter(({ title }, index) => all.findIndex((one) => one.title === title) === index);
  if (unique.length < 2) return undefined;
  const items = unique.slice(0, most.options).map(({ title, description }, index) => ({
    id: `choice:${index + 1}`,
    title,
    ...(description !== undefined && { description }),
  }));
  const areShort = items.every(
    ({ title, description }) => title.length <= most.buttonTitle && description === undefined,
  );
  return items.length <= most.buttons && areShort ? { buttons: items } : { options: { button, items } };
}

/** A title that is too long stands below its beginning as well. */
function titled(choice: unknown): Titled {
  const title = oneLine(textOf(choice) ?? textOf(at(choice, 'title')));
  const description = oneLine(textOf(at(choice, 'description')));
  if (title.length <= most.optionTitle) {
    return { title, description: description === '' ? undefined : cut(description, most.description) };
  }
  const below = description === '' ? title : `${title}: ${description}`;
  return { title: cut(title, most.optionTitle), description: cut(below, most.description) };
}

const oneLine = (text: string | undefined): string =>
  (text ?? '').replaceAll('\0', '').toWellFormed().replaceAll(/\s+/g, ' ').trim();

const cut = (text: string, length: number): string =>
  text.length <= length
    ? text
    : `${text
        .slice(0, length - 1)
        .trimEnd()
        .toWellFormed()}…`;
