import { noParameters, type Tool } from './tool.ts';

/** In messages of these kinds, the control plane itself recognises the opt-out. */
const recognised = new Set(['text', 'button', 'button_reply', 'list_reply']);

/** Only answers STOP and START: the control plane applies the opt-out, and fires no trigger after a STOP. */
export const writeFirst: Tool = {
  name: 'write_first',
  description: 'Whether the agent writes to the sender first.',
  action: () => 'change whether I write to you first',
  usage: 'stop, or start: whether I write to you first',
  parameters: noParameters,
  private: true,
  run: ({ message: { kind } }, { allowed }) =>
    Promise.resolve(
      !recognised.has(kind)
        ? `Please write the word ${allowed === true ? 'START' : 'STOP'} to me, in a message of its own.`
        : allowed === true
          ? 'Thank you. I may write to you first again. Send "help" to see what I can do.'
          : 'All right, I do not write to you first any more. I still answer what you send. Send "start" to have it back.',
    ),
};
