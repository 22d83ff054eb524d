import { textOf } from '../json.ts';
import { joined, listing, quoted } from './lines.ts';
import { rowsOf, type Tool } from './tool.ts';
import { callAsWorker, statusOf } from './worker.ts';

const daysLeft = (days: unknown) => {
  if (typeof days !== 'number' || days < 0) return undefined;
  return days === 1 ? '1 day left' : `${days} days left`;
};

/** One contains the other: "forklift licence", "forklift". */
function concerns(type: unknown, wanted: string): boolean {
  const [known, asked] = [textOf(type)?.toLowerCase(), wanted.toLowerCase()];
  return known !== undefined && (known.includes(asked) || asked.includes(known));
}

export const myCerts: Tool = {
  name: 'my_certs',
  description: 'Lists the certifications of the worker who is writing and how long each is valid.',
  action: () => 'see your certs',
  usage: 'my certs',
  parameters: {
    type: 'object',
    properties: {
      type: { type: 'string', description: 'Only those for this, such as forklift; all when left out' },
      site: { type: 'string', description: 'Where it is needed, if the worker named a place' },
    },
    additionalProperties: false,
  },
  skill: 'worker_shifts',
  run: async (context, args) => {
    const [type, site] = [textOf(args['type']), textOf(args['site'])];
    const all = rowsOf(await callAsWorker(context, 'GET', '/worker/me/certs', (query) => ({ query })));
    const rows = type === undefined ? all : all.filter((row) => concerns(row['type'], type));
    const what = type === undefined ? 'certs' : `certs for ${quoted(type)}`;
    // The worker's records do not contain the requirements of a site.
    const caution =
      site === undefined ? '' : `\nI do not know what ${quoted(site)} asks for: please check there.`;
    if (rows.length === 0) return `You have no ${what}.${caution}`;
    const line = (row: (typeof rows)[number]) =>
      joined(row['type'], row['number'], daysLeft(row['days_left'])) + statusOf(row);
    return listing(`Your ${what}:`, rows, line) + caution;
  },
};
