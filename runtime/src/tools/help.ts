import { aPerson } from '../choices.ts';
import { languageOf } from '../language.ts';
import { en, type SentenceKey } from '../sentences/en.ts';
import { noParameters, type Tool, type ToolContext } from './tool.ts';
import { isWorker } from './worker.ts';

const isSentence = (key: string): key is SentenceKey => Object.hasOwn(en, key);

export const help: Tool = {
  name: 'help',
  description: 'Lists what this agent can do.',
  action: (_args, { message }) => languageOf(message).say('to_help'),
  parameters: noParameters,
  run: async (context) => {
    const { say } = languageOf(context.message);
    const { open, isKnown } = await openTo(context);
    const typed = open.map(({ name }) => `type_${name}`).filter(isSentence);
    const lines = [say('can_do'), ...typed.map((key) => `• ${say(key)}`)];
    const text = (isKnown ? lines : [...lines, say('more_for_known')]).join('\n');
    return { text, choices: aPerson(languageOf(context.message)), ends_exchange: false };
  },
};

/** Nothing is offered that would only be refused. */
async function openTo(context: ToolContext): Promise<{ open: Tool[]; isKnown: boolean }> {
  const { offered, message, isPublic } = context;
  const path = offered.find(({ workerPath }) => workerPath !== undefined)?.workerPath;
  const worksHere = path !== undefined && (await isWorker(context, path));
  const isKnown = message.identity_id !== null || worksHere;
  const open = offered.filter((tool) => {
    // A PIN belongs to an identity.
    if (tool.replacesPin && message.identity_id === null) return false;
    if (tool.workerPath !== undefined && !worksHere) return false;
    return isKnown || !tool.forKnownSenders || isPublic(tool);
  });
  return { open, isKnown };
}
