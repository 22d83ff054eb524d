import type { TenantQueryable } from '../platform/db/queryable.ts';
import { type Fault, invalid, missingFault, ValidationError, valueFault } from '../platform/errors.ts';
import { type ContentKeyring, type MessageContent, openContent } from './message-content.ts';
import type { GivenTemplate, Media } from './messages.contract.ts';
import { listNewestMessages } from './messages.db.ts';
import type { MessageButton, MessageOptions } from './rich-answers.contract.ts';

/** A tap may refer to one of the last messages (contract, section 22). */
const TAPPABLE_MESSAGES = 20;

/** An answer's parts besides its text. */
export interface RichParts {
  buttons?: MessageButton[] | null | undefined;
  options?: MessageOptions | null | undefined;
  media?: { id: string }[] | null | undefined;
}

interface GivenAnswer extends RichParts {
  text?: string | null | undefined;
  template?: GivenTemplate | null | undefined;
}

/** 422 unless the parts go together. */
export function expectWhole({ text, template, buttons, options, media }: GivenAnswer): void {
  const faults: Fault[] = [];
  if (!text && !template && !media) faults.push(missingFault('body', 'text'));
  if (text && template)
    faults.push(valueFault(['body', 'template'], 'A message has a text or a template, not both'));
  const given = Object.entries({ template, buttons, options, media }).filter(([, part]) => part);
  for (const [name] of given.slice(1)) {
    const words = 'A message has one of template, buttons, options and media';
    faults.push(valueFault(['body', name], words));
  }
  faults.push(...repeatsIn(['body', 'buttons'], buttons ?? []));
  faults.push(...repeatsIn(['body', 'options', 'items'], options?.items ?? []));
  if (faults.length > 0) throw new ValidationError(faults);
}

/** A tap is told by its id, and shown by its title. */
function repeatsIn(loc: string[], choices: readonly MessageButton[]): Fault[] {
  return choices.flatMap((choice, index) =>
    (['id', 'title'] as const).flatMap((name) => {
      const isBlank = choice[name].trim() === '';
      const isRepeated = choices.findIndex((other) => other[name] === choice[name]) < index;
      const place = [...loc, String(index), name];
      if (isBlank) return valueFault(place, `The ${name} has to be visible`);
      return isRepeated ? valueFault(place, `Each ${name} has to be another one`) : [];
    }),
  );
}

/** Sealed with the text. @param file of `media` */
export const contentOf = (
  { buttons, options }: RichParts,
  file: Media | undefined,
): Pick<MessageContent, 'buttons' | 'options' | 'media'> => ({
  ...(buttons && { buttons }),
  ...(options && { options }),
  ...(file && { media: [file] }),
});

type FileKind = 'image' | 'video' | 'audio' | 'document';

/** The kind of a message with a file, as the channel names it. */
export function fileKindOf(mime_type: string | null): FileKind {
  const [family] = (mime_type ?? '').split('/');
  return family === 'image' || family === 'video' || family === 'audio' ? family : 'document';
}

/** A tap on a choice; the kind is the channel's name for it. */
interface Tap {
  kind: 'button_reply' | 'list_reply';
  title: string;
}

/** 422 unless the id is that of a button or option of the conversation's last messages. The newest one counts. */
export async function readTap(
  keyring: ContentKeyring,
  q: TenantQueryable,
  conversation_id: string | undefined,
  reply_id: string,
): Promise<Tap> {
  const rows =
    conversation_id === undefined
      ? []
      : await q.run(listNewestMessages(conversation_id, undefined, TAPPABLE_MESSAGES));
  for (const row of rows) {
    const { buttons = [], options } = await openContent(keyring, q, row);
    const button = buttons.find(({ id }) => id === reply_id);
    if (button) return { kind: 'button_reply', title: button.title };
    const option = options?.items.find(({ id }) => id === reply_id);
    if (option) return { kind: 'list_reply', title: option.title };
  }
  throw invalid(
    ['body', 'reply_id'],
    `No button or option of the last ${TAPPABLE_MESSAGES} messages has this id`,
  );
}
