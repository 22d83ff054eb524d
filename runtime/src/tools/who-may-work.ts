import { at, type JsonObject } from '../json.ts';
import { languageOf } from '../language.ts';
import {
  cautionOf,
  lastDayBefore,
  reasonsOf,
  withDay,
  wordsOf,
  workOf,
  workProperties,
} from './eligibility.ts';
import { joined, listing } from './lines.ts';
import { rowsOf, type Tool, type ToolContext } from './tool.ts';

const maxPeople = 20;

export const whoMayWork: Tool = {
  name: 'who_may_work',
  description:
    'Tells who of the staff may work at a place on a day by its requirements, and of the others why not.',
  action: (_args, { message }) => languageOf(message).say('to_see_eligible'),
  parameters: { type: 'object', properties: workProperties, additionalProperties: false },
  skill: 'eligibility',
  forKnownSenders: true,
  prepare: withDay,
  run: async (context, args) => {
    const language = languageOf(context.message);
    const { say } = language;
    const work = workOf(args, context);
    if (work === undefined) return say('which_day');
    const answer = await context.controlPlane('POST', '/eligibility', {
      query: { customer_id: context.message.customer_id },
      body: { site: work.site, from: work.day, per_page: maxPeople },
    });
    const words = wordsOf(work, language);
    const isOpen = rowsOf(at(answer, 'demands')).length === 0;
    const told = isOpen ? say('no_requirements', words) : listOf(context, answer, words);
    return told + cautionOf(answer, work, language);
  },
};

function listOf(context: ToolContext, answer: unknown, words: { place: string; date: string }): string {
  const language = languageOf(context.message);
  const { say } = language;
  const people = rowsOf(at(answer, 'people'));
  const may = people.filter((person) => person['eligible'] === true);
  const mayNot = people.filter((person) => person['eligible'] === false);
  const totalOf = (name: string, shown: readonly JsonObject[]) => {
    const total = at(at(answer, 'totals'), name);
    return typeof total === 'number' ? total : shown.length;
  };
  const untilOf = (person: JsonObject) => {
    const day = lastDayBefore(person['eligible_until'], context.zone);
    return day && say('valid_to', { date: language.date(day) });
  };
  const lineOf = (person: JsonObject) => `${joined(person['name'])}: ${reasonsOf(person, context)}`;
  const ofMay = (person: JsonObject) => joined(person['name'], untilOf(person));
  const first =
    may.length === 0
      ? say('nobody_may_work', words)
      : listing(say('who_may_work', words), may, ofMay, language, totalOf('eligible', may));
  if (mayNot.length === 0) return first;
  const rest = listing(say('who_may_not'), mayNot, lineOf, language, totalOf('ineligible', mayNot));
  return `${first}\n${rest}`;
}
