import Type from 'typebox';
import type { SenderTraits } from '../platform/contract/operation.ts';
import { about } from '../platform/contract/shapes.ts';

/** The exact error message (contract, section 17): runtimes compare it. */
export const NOT_INTRODUCED = 'not_introduced';
export const SENDER_TOKEN_REQUIRED = 'sender_token_required';

export const SENDER_TOKEN_HEADER = 'x-sender-token';

export const SenderTokenHeader = Type.Object({
  [SENDER_TOKEN_HEADER]: about(
    Type.Optional(Type.String()),
    'The sender_token of the message that the call is for, of the last 15 minutes. Then whoever else is named is 404, and what is left out is the sender’s. A wrong or expired one is 401; a missing one 403 `sender_token_required` where the PIN policy requires it',
  ),
});

/** For internal routes that a sender's token narrows. */
export const ofSender = (sender: SenderTraits) => ({ sender, headers: SenderTokenHeader });

export const onlyIntroduced = (skill: string): string =>
  `With X-Sender-Token, 403 \`${NOT_INTRODUCED}\` for a sender whose identity or address nobody has verified, unless the skill ${skill} is \`{"public": true}\`.`;
