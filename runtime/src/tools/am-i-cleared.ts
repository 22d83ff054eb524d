import { at } from '../json.ts';
import { languageOf } from '../language.ts';
import { cautionOf, reasonsOf, withDay, wordsOf, workOf, workProperties } from './eligibility.ts';
import { rowsOf, type Tool } from './tool.ts';
import { callAsWorker } from './worker.ts';

export const amICleared: Tool = {
  name: 'am_i_cleared',
  description:
    'Tells the worker who is writing whether they may work at a place on a day, and every reason why not.',
  action: (_args, { message }) => languageOf(message).say('to_see_cleared'),
  parameters: { type: 'object', properties: workProperties, additionalProperties: false },
  skill: 'eligibility',
  workerPath: '/worker/me/eligibility',
  prepare: withDay,
  run: async (context, args) => {
    const language = languageOf(context.message);
    const { say } = language;
    const work = workOf(args, context);
    if (work === undefined) return say('which_day');
    const answer = await callAsWorker(context, 'GET', '/worker/me/eligibility', (who) => ({
      query: { ...who, site: work.site, from: work.day },
    }));
    const [me] = rowsOf(at(answer, 'people'));
    const words = wordsOf(work, language);
    const caution = cautionOf(answer, work, language);
    if (me?.['eligible'] === true) return say('you_may_work', words) + caution;
    if (me?.['eligible'] !== false) return say('no_requirements', words) + caution;
    return `${say('you_may_not_work', words)} ${reasonsOf(me, context)}.${caution}`;
  },
};
