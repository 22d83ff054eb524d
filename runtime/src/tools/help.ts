import { languageOf } from '../language.ts';
import { en, type SentenceKey } from '../sentences/en.ts';
import { noParameters, type Tool } from './tool.ts';

const isSentence = (key: string): key is SentenceKey => Object.hasOwn(en, key);

export const help: Tool = {
  name: 'help',
  description: 'Lists what this agent can do.',
  action: (_args, { message }) => languageOf(message).say('to_help'),
  parameters: noParameters,
  run: ({ offered, message }) => {
    const { say } = languageOf(message);
    const typed = offered.map(({ name }) => `type_${name}`).filter(isSentence);
    return Promise.resolve([say('can_do'), ...typed.map((key) => `• ${say(key)}`)].join('\n'));
  },
};
