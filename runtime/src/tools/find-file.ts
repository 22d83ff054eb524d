import { ControlPlaneError } from '../control-plane.ts';
import { at, textOf } from '../json.ts';
import { languageOf } from '../language.ts';
import { joined, listing, quoted } from './lines.ts';
import { rowsOf, type Tool } from './tool.ts';

export const findFile: Tool = {
  name: 'find_file',
  description: "Searches the customer's cloud drive by file name.",
  action: (args, { message }) => {
    const { say } = languageOf(message);
    const name = textOf(args['name']);
    return name === undefined ? say('to_find_files') : say('to_find_file', { name: quoted(name) });
  },
  parameters: {
    type: 'object',
    properties: { name: { type: 'string', description: 'All or part of the file name' } },
    required: ['name'],
    additionalProperties: false,
  },
  skill: 'drive_search',
  forKnownSenders: true,
  run: async ({ controlPlane, message }, args) => {
    const language = languageOf(message);
    const { say } = language;
    const name = textOf(args['name']);
    if (name === undefined) return say('which_file_find');
    try {
      // The customer selects the drive of a shared instance (contract, section 10).
      const answer = await controlPlane('GET', '/drive/search', {
        query: { query: name, max_results: 20, customer_id: message.customer_id },
      });
      const files = rowsOf(at(answer, 'files'));
      if (files.length === 0) return say('no_file', { name });
      return listing(say('found'), files, (file) => joined(file['name'], file['web_url']), language);
    } catch (error) {
      const missing = error instanceof ControlPlaneError && error.status === 404 && !error.isUnknownRoute;
      if (missing) return say('no_drive');
      throw error;
    }
  },
};
