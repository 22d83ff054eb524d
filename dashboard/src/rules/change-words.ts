import { sentence } from './words.ts';

/** Verbs whose past is none of theirs with `ed`. */
const PAST: Record<string, string> = {
  put: 'set',
  update: 'changed',
  send: 'sent',
  write: 'wrote',
  hand: 'handed',
  stop: 'stopped',
  rollback: 'rolled back',
  retry: 'tried again',
  rewrap: 'wrapped anew',
};

const NOUNS: readonly (readonly [RegExp, string])[] = [
  [/\bapi key/, 'API key'],
  [/\bpin\b/, 'PIN'],
  [/\b(tenant )?llm provider/, 'model provider'],
  [/\binstance/, 'agent'],
  [/\bmy /, 'own '],
  [/\bca$/, 'certificate authority'],
];

const past = (verb: string) => PAST[verb] ?? (verb.endsWith('e') ? `${verb}d` : `${verb}ed`);

/** An operation as done: `create_api_key` is "Created API key". */
export function changeWords(operation: string): string {
  const [verb = '', ...rest] = operation.split('_');
  const noun = NOUNS.reduce((words, [from, to]) => words.replace(from, to), rest.join(' '));
  return sentence(`${past(verb)} ${noun}`.trim());
}
