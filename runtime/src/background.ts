import { withoutSecrets } from './history.ts';
import type { Part } from './inbound-message.ts';

const maxQuoted = 1000;

const whose = {
  sender: 'a message of their own',
  agent: 'a message of yours',
  person: 'a message of your colleague',
  system: 'an automatic message of yours',
};

/** For a model: a message's words, below notes on what they refer to. */
export function wordsOf({ text, quoted, referral, isForwarded }: Part): string {
  const notes = [
    quoted && noteOnQuoted(quoted),
    referral?.product_id && `[They ask about the product ${referral.product_id}.]`,
    referral && noteOnAd(referral),
    isForwarded && '[They pass on what somebody else wrote.]',
  ];
  return [...notes.filter((note) => typeof note === 'string' && note !== ''), text].join('\n');
}

function noteOnQuoted({ text, author }: NonNullable<Part['quoted']>): string {
  if (author === undefined) return '[They answer an earlier message that is not kept.]';
  if (text === null) return `[They answer ${whose[author]}, which has no words.]`;
  const visible = author === 'sender' ? withoutSecrets(text, true) : text;
  return `[They answer ${whose[author]}: "${visible.slice(0, maxQuoted).toWellFormed()}"]`;
}

function noteOnAd({ headline, body, source_id }: NonNullable<Part['referral']>): string {
  const words = [headline, body, source_id && `id ${source_id}`].filter((part) => part !== undefined);
  return words.length === 0 ? '' : `[They come from an ad or a post: ${words.join(', ')}]`;
}
