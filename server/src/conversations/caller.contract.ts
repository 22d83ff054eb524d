import Type from 'typebox';
import { ProofHeaders } from '../pins/pin-gate.contract.ts';
import { about, query, Uuid } from '../platform/contract/shapes.ts';

export const CONVERSATION_HEADER = 'x-conversation-id';

export const CallerQuery = query({
  customer_id: about(Type.Optional(Uuid), 'On a shared instance, where no X-Sender-Token tells it'),
});

export const CallerHeaders = Type.Object({
  ...ProofHeaders.properties,
  [CONVERSATION_HEADER]: about(
    Type.Optional(Uuid),
    'The conversation that the call is for; without it that of X-Sender-Token. 404 unless it is the instance’s and the sender’s',
  ),
});
