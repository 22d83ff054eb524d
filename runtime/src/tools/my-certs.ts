import { textOf } from '../json.ts';
import { type Language, languageOf } from '../language.ts';
import { joined, listing, quoted } from './lines.ts';
import { rowsOf, type Tool } from './tool.ts';
import { callAsWorker, statusOf } from './worker.ts';

const daysLeft = (days: unknown, language: Language) =>
  typeof days === 'number' && days >= 0
    ? language.say('days_left', { days: language.days(days) })
    : undefined;

/** One contains the other: "forklift licence", "forklift". */
function concerns(type: unknown, wanted: string): boolean {
  const [known, asked] = [textOf(type)?.toLowerCase(), wanted.toLowerCase()];
  return known !== undefined && (known.includes(asked) || asked.includes(known));
}

export const myCerts: Tool = {
  name: 'my_certs',
  description: 'Lists the certifications of the worker who is writing and how long each is valid.',
  action: (_args, { message }) => languageOf(message).say('to_see_certs'),
  parameters: {
    type: 'object',
    properties: {
      type: { type: 'string', description: 'Only those for this, such as forklift; all when left out' },
      site: { type: 'string', description: 'Where it is needed, if the worker named a place' },
    },
    additionalProperties: false,
  },
  skill: 'worker_shifts',
  workerPath: '/worker/me/certs',
  run: async (context, args) => {
    const language = languageOf(context.message);
    const { say } = language;
    const [type, site] = [textOf(args['type']), textOf(args['site'])];
    const all = rowsOf(await callAsWorker(context, 'GET', '/worker/me/certs', (query) => ({ query })));
    const rows = type === undefined ? all : all.filter((row) => concerns(row['type'], type));
    // The worker's records do not contain the requirements of a site.
    const caution = site === undefined ? '' : `\n${say('site_unknown', { site: quoted(site) })}`;
    const about = type === undefined ? {} : { type: quoted(type) };
    if (rows.length === 0) return say(type === undefined ? 'no_certs' : 'no_certs_for', about) + caution;
    const line = (row: (typeof rows)[number]) =>
      joined(row['type'], row['number'], daysLeft(row['days_left'], language)) + statusOf(row);
    const headline = say(type === undefined ? 'your_certs' : 'your_certs_for', about);
    return listing(headline, rows, line, language) + caution;
  },
};
