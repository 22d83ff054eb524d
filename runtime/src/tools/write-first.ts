import { languageOf } from '../language.ts';
import { noParameters, type Tool } from './tool.ts';

/** In messages of these kinds, the control plane itself recognises the opt-out. */
const recognised = new Set(['text', 'button', 'button_reply', 'list_reply']);

/** Only answers STOP and START: the control plane applies the opt-out, and fires no trigger after a STOP. */
export const writeFirst: Tool = {
  name: 'write_first',
  description: 'Whether the agent writes to the sender first.',
  action: (_args, { message }) => languageOf(message).say('to_write_first'),
  parameters: noParameters,
  private: true,
  run: ({ message }, { allowed }) => {
    const { say } = languageOf(message);
    if (!recognised.has(message.kind))
      return Promise.resolve(say('write_word', { word: allowed === true ? 'START' : 'STOP' }));
    return Promise.resolve(say(allowed === true ? 'write_again' : 'write_stopped'));
  },
};
