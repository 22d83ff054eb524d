import { type ControlPlane, ControlPlaneError } from '../control-plane.ts';
import { at, type JsonObject, textOf } from '../json.ts';
import { joined, listing, quoted } from './lines.ts';
import { rowsOf, type Tool } from './tool.ts';

/** Fits into a model's context and a few chat messages. */
const maxCharacters = 12_000;
const cutNote = '\n… (cut: the file is longer)';

/** An exact name selects its file, even if other names contain it. */
function chosenOf(files: readonly JsonObject[], name: string): readonly JsonObject[] {
  const wanted = name.trim().toLowerCase();
  const whole = files.filter((file) => textOf(file['name'])?.toLowerCase() === wanted);
  return whole.length === 1 ? whole : files;
}

async function contentOf(controlPlane: ControlPlane, file: JsonObject, customer_id: string): Promise<string> {
  const path = `/drive/read/${encodeURIComponent(textOf(file['id']) ?? '')}`;
  const content = await controlPlane('GET', path, { query: { customer_id } });
  const name = textOf(file['name']) ?? 'the file';
  if (at(content, 'encoding') !== 'utf-8') return `I cannot read ${name}: it is no text.`;
  const text = textOf(at(content, 'content'))?.trim();
  if (text === undefined || text === '') return `${name} is empty.`;
  const shown = text.length <= maxCharacters ? text : text.slice(0, maxCharacters).toWellFormed() + cutNote;
  return `${name}:\n${shown}`;
}

export const readFile: Tool = {
  name: 'read_file',
  description:
    "Reads a text file or document of the customer's cloud drive, found by its name, as a price list or a policy. Answers the names where several files have the words in theirs.",
  action: (args) => {
    const name = textOf(args['name']);
    return name === undefined ? 'read a file' : `read the file ${quoted(name)}`;
  },
  usage: 'read <file name>',
  parameters: {
    type: 'object',
    properties: { name: { type: 'string', description: 'All or part of the file name' } },
    required: ['name'],
    additionalProperties: false,
  },
  skill: 'drive_search',
  forKnownSenders: true,
  run: async ({ controlPlane, message }, args) => {
    const name = textOf(args['name']);
    if (name === undefined) return 'Which file? For example: read price list';
    const { customer_id } = message;
    try {
      const query = { query: name, max_results: 20, customer_id };
      const files = rowsOf(at(await controlPlane('GET', '/drive/search', { query }), 'files'));
      const [file, ...others] = chosenOf(files, name);
      if (file === undefined) return `I found no file named ${name}.`;
      if (others.length === 0) return await contentOf(controlPlane, file, customer_id);
      return listing('Which of them?', files, (one) => joined(one['name'], one['web_url']));
    } catch (error) {
      if (!(error instanceof ControlPlaneError)) throw error;
      if (error.status === 413) return 'That file is too large for me to read.';
      if (error.status === 404 && !error.isUnknownRoute) return 'No drive is connected.';
      throw error;
    }
  },
};
