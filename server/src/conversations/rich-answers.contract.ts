import Type, { type Static } from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { about, Clearable, Nullable, Text } from '../platform/contract/shapes.ts';

export const MessageButton = NamedObject('MessageButton', {
  id: about(Text(256, 1), 'Comes back as `reply_id` of a tap'),
  title: about(Text(20, 1), 'Comes back as the text of a tap'),
});
export type MessageButton = Static<typeof MessageButton>;

const MessageOption = NamedObject('MessageOption', {
  id: about(Text(200, 1), 'Comes back as `reply_id` of a tap'),
  title: about(Text(24, 1), 'Comes back as the text of a tap'),
  description: Clearable(about(Text(72), 'A line below the title')),
});

export const MessageOptions = NamedObject('MessageOptions', {
  button: about(Text(20, 1), 'The word that opens the list'),
  items: Type.Array(MessageOption, { minItems: 1, maxItems: 10 }),
});
export type MessageOptions = Static<typeof MessageOptions>;

/** Fields of an answer's body, of which it has at most one. */
export const richBody = {
  buttons: about(
    Clearable(Type.Array(MessageButton, { minItems: 1, maxItems: 3 })),
    'Up to three answers to tap on, below the text',
  ),
  options: about(Clearable(MessageOptions), 'Up to ten answers in a list that opens, below the text'),
  media: about(
    Clearable(
      Type.Array(NamedObject('AttachedMedia', { id: about(Text(256, 1), 'The `media_id` of an upload') }), {
        minItems: 1,
        maxItems: 1,
      }),
    ),
    'A file that was uploaded to this conversation and that no answer has taken; the text is its caption',
  ),
};

/** Fields of a message as it is shown. */
export const choicesShown = {
  buttons: about(Type.Array(MessageButton), 'Answers to tap on; empty without'),
  options: about(Nullable(MessageOptions), 'Answers in a list that opens'),
};
