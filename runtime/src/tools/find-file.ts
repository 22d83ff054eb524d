import { ControlPlaneError } from '../control-plane.ts';
import { at, textOf } from '../json.ts';
import { joined, listing, quoted } from './lines.ts';
import { rowsOf, type Tool } from './tool.ts';

export const findFile: Tool = {
  name: 'find_file',
  description: "Searches the customer's cloud drive by file name.",
  action: (args) => {
    const name = textOf(args['name']);
    return name === undefined ? 'search the files' : `search the files for ${quoted(name)}`;
  },
  usage: 'find <file name>',
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
    if (name === undefined) return 'Which file? For example: find price list';
    try {
      // The customer selects the drive of a shared instance (contract, section 10).
      const answer = await controlPlane('GET', '/drive/search', {
        query: { query: name, max_results: 20, customer_id: message.customer_id },
      });
      const files = rowsOf(at(answer, 'files'));
      if (files.length === 0) return `I found no file named ${name}.`;
      return listing('I found:', files, (file) => joined(file['name'], file['web_url']));
    } catch (error) {
      const missing = error instanceof ControlPlaneError && error.status === 404 && !error.isUnknownRoute;
      if (missing) return 'No drive is connected.';
      throw error;
    }
  },
};
