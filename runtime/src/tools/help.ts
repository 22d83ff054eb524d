import { noParameters, type Tool } from './tool.ts';

export const help: Tool = {
  name: 'help',
  description: 'Lists what this agent can do.',
  action: () => 'see what I can do',
  usage: 'help',
  parameters: noParameters,
  run: ({ offered }) =>
    Promise.resolve(['I can do this:', ...offered.map(({ usage }) => `• ${usage}`)].join('\n')),
};
