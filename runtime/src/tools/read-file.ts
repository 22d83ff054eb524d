import { ControlPlaneError } from '../control-plane.ts';
import { at, type JsonObject, textOf } from '../json.ts';
import { languageOf } from '../language.ts';
import { joined, listing, quoted } from './lines.ts';
import { rowsOf, type Situation, type Tool } from './tool.ts';

/** Fits into a model's context and a few chat messages. */
const maxCharacters = 12_000;

/** An exact name selects its file, even if other names contain it. */
function chosenOf(files: readonly JsonObject[], name: string): readonly JsonObject[] {
  const wanted = name.trim().toLowerCase();
  const whole = files.filter((file) => textOf(file['name'])?.toLowerCase() === wanted);
  return whole.length === 1 ? whole : files;
}

async function contentOf({ controlPlane, message }: Situation, file: JsonObject): Promise<string> {
  const { customer_id } = message;
  const { say } = languageOf(message);
  const path = `/drive/read/${encodeURIComponent(textOf(file['id']) ?? '')}`;
  const content = await controlPlane('GET', path, { query: { customer_id } });
  const name = textOf(file['name']) ?? say('file_unnamed');
  if (at(content, 'encoding') !== 'utf-8') return say('file_no_text', { name });
  const text = textOf(at(content, 'content'))?.trim();
  if (text === undefined || text === '') return say('file_empty', { name });
  const shown =
    text.length <= maxCharacters
      ? text
      : `${text.slice(0, maxCharacters).toWellFormed()}\n${say('file_cut')}`;
  return `${name}:\n${shown}`;
}

export const readFile: Tool = {
  name: 'read_file',
  description:
    "Reads a text file or document of the customer's cloud drive, found by its name, as a price list or a policy. Answers the names where several files have the words in theirs.",
  action: (args, { message }) => {
    const { say } = languageOf(message);
    const name = textOf(args['name']);
    return name === undefined ? say('to_read_files') : say('to_read_file', { name: quoted(name) });
  },
  parameters: {
    type: 'object',
    properties: { name: { type: 'string', description: 'All or part of the file name' } },
    required: ['name'],
    additionalProperties: false,
  },
  skill: 'drive_search',
  forKnownSenders: true,
  run: async (context, args) => {
    const { controlPlane, message } = context;
    const language = languageOf(message);
    const { say } = language;
    const name = textOf(args['name']);
    if (name === undefined) return say('which_file_read');
    const { customer_id } = message;
    try {
      const query = { query: name, max_results: 20, customer_id };
      const files = rowsOf(at(await controlPlane('GET', '/drive/search', { query }), 'files'));
      const [file, ...others] = chosenOf(files, name);
      if (file === undefined) return say('no_file', { name });
      if (others.length === 0) return await contentOf(context, file);
      return listing(say('which_of_them'), files, (one) => joined(one['name'], one['web_url']), language);
    } catch (error) {
      if (!(error instanceof ControlPlaneError)) throw error;
      if (error.status === 413) return say('file_too_large');
      if (error.status === 404 && !error.isUnknownRoute) return say('no_drive');
      throw error;
    }
  },
};
