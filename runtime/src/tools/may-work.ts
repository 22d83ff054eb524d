import { at, textOf } from '../json.ts';
import { languageOf } from '../language.ts';
import { cautionOf, reasonsOf, withDay, wordsOf, workOf, workProperties } from './eligibility.ts';
import { joined, quoted } from './lines.ts';
import { rowsOf, type Situation, type Tool } from './tool.ts';

/** More people of one name are not told apart in a chat. */
const maxNamesakes = 20;

/** People whose name, or a word of it, is what was typed. */
async function namesakes({ controlPlane, message }: Situation, name: string): Promise<string[]> {
  const page = await controlPlane('GET', '/staff', {
    query: { customer_id: message.customer_id, search: name, per_page: 200 },
  });
  const wanted = name.toLowerCase();
  return rowsOf(at(page, 'staff'))
    .filter((person) => ` ${textOf(person['name']) ?? ''} `.toLowerCase().includes(` ${wanted} `))
    .flatMap((person) => textOf(person['id']) ?? [])
    .slice(0, maxNamesakes);
}

export const mayWork: Tool = {
  name: 'may_work',
  description:
    'Tells whether one person of the staff may work at a place on a day, or drive something there, and every reason why not.',
  action: (args, { message }) =>
    languageOf(message).say('to_see_may_work', { name: quoted(textOf(args['name']) ?? '') }),
  parameters: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'The person, or a part of the name' },
      type: { type: 'string', description: 'A certification that the work needs besides, such as crane' },
      ...workProperties,
    },
    required: ['name'],
    additionalProperties: false,
  },
  skill: 'eligibility',
  forKnownSenders: true,
  prepare: withDay,
  run: async (context, args) => {
    const language = languageOf(context.message);
    const { say } = language;
    const work = workOf(args, context);
    if (work === undefined) return say('which_day');
    const name = (textOf(args['name']) ?? '').trim();
    const person_ids = name === '' ? [] : await namesakes(context, name);
    if (person_ids.length === 0) return say('person_unknown', { name: quoted(name) });
    const type = textOf(args['type']);
    const answer = await context.controlPlane('POST', '/eligibility', {
      query: { customer_id: context.message.customer_id },
      body: {
        site: work.site,
        from: work.day,
        person_ids,
        demands: type === undefined ? [] : [{ kind: 'certification', value: type }],
      },
    });
    const lines = rowsOf(at(answer, 'people')).map((person) => {
      const words = { ...wordsOf(work, language), name: joined(person['name']) };
      if (person['eligible'] === true) return say('may_work', words);
      if (person['eligible'] !== false) return say('no_requirements', words);
      return `${say('may_not_work', words)} ${reasonsOf(person, context)}.`;
    });
    return [...new Set(lines)].join('\n') + cautionOf(answer, work, language);
  },
};
