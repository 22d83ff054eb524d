import { textOf } from '../json.ts';
import { languageOf } from '../language.ts';
import type { Tool } from './tool.ts';

export const talkToAPerson: Tool = {
  name: 'talk_to_a_person',
  description:
    'Hands the conversation over to a person of the team, who answers from then on. For a sender who asks for a person, or needs what no tool can do.',
  action: (_args, { message }) => languageOf(message).say('to_talk'),
  parameters: {
    type: 'object',
    properties: { reason: { type: 'string', description: 'What the person should know, in one sentence' } },
    additionalProperties: false,
  },
  run: ({ message }, args) =>
    Promise.resolve({
      text: languageOf(message).say('passing_on'),
      handover: textOf(args['reason']) ?? 'The sender asked for a person',
    }),
};
