import { noParameters, type Tool } from './tool.ts';

/** STOP and START. Triggers are the control plane's and nothing remembers a wish, so the answer promises nothing. */
export const writeFirst: Tool = {
  name: 'write_first',
  description: 'Says who decides whether the agent writes to the sender first.',
  action: () => 'say who decides whether I write first',
  usage: 'stop, or start: who decides whether I write to you first',
  parameters: noParameters,
  private: true,
  run: (_context, { allowed }) =>
    Promise.resolve(
      allowed === true
        ? 'Thank you. Whoever runs this agent decides what I send on my own. Send "help" to see what I can do.'
        : 'I cannot turn that off myself: please ask whoever runs this agent to stop what I send you on my own. I still answer what you send.',
    ),
};
