import { textOf } from '../json.ts';
import type { Tool } from './tool.ts';

export const talkToAPerson: Tool = {
  name: 'talk_to_a_person',
  description:
    'Hands the conversation over to a person of the team, who answers from then on. For a sender who asks for a person, or needs what no tool can do.',
  action: () => 'talk to a person',
  usage: 'talk to a human',
  parameters: {
    type: 'object',
    properties: { reason: { type: 'string', description: 'What the person should know, in one sentence' } },
    additionalProperties: false,
  },
  run: (_context, args) =>
    Promise.resolve({
      text: 'I am passing this on to a person, who will answer you here.',
      handover: textOf(args['reason']) ?? 'The sender asked for a person',
    }),
};
