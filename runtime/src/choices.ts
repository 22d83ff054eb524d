import type { Language } from './language.ts';

interface Choice {
  id: string;
  title: string;
  description?: string | undefined;
}

/** Below an answer, for the sender to tap on; in the control plane's shape. */
export type Choices = { buttons: Choice[] } | { options: { button: string; items: Choice[] } };

export const most = { buttons: 3, buttonTitle: 20, options: 10, optionTitle: 24, description: 72 };

/** Ids of the runtime's own choices tell what a tap says, in whichever language its title is. */
const SAYS = 'say:';

export interface Tap {
  text: string;
  /** The open question that it answers. */
  question: string | undefined;
}

const saying = (text: string, question?: string): string =>
  `${SAYS}${text}${question === undefined ? '' : `#${question}`}`;

/** undefined for a choice of somebody else, such as a model: its title is its text. */
export function tapOf(reply_id: string | undefined): Tap | undefined {
  if (!reply_id?.startsWith(SAYS)) return undefined;
  const [text = '', question] = reply_id.slice(SAYS.length).split('#');
  return { text, question };
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** @param question which one: a tap on an earlier one must not answer a later one */
export const yesOrNo = ({ say }: Language, question: string): Choices => ({
  buttons: [
    { id: saying('yes', question), title: capital(say('yes')) },
    { id: saying('no', question), title: capital(say('no')) },
  ],
});

export const aPerson = ({ say }: Language): Choices => ({
  buttons: [{ id: saying('talk to a human'), title: say('talk_button') }],
});
