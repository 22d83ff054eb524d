import type { TenantQueryable } from '../platform/db/queryable.ts';
import { type ContentKeyring, type MessageContent, openContent, templateText } from './message-content.ts';
import { findTrigger } from './trigger-answers.db.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const MAX_PARAMETER_LENGTH = 1024;
const NO_TEMPLATE =
  'The sender has not written for 24 hours, and the trigger has no template to send instead';

interface PreparedAnswer {
  kind: 'text' | 'template';
  content: MessageContent;
  failure?: string;
}

/** Answers to triggers may have to be sent as the trigger's template (contract, section 12); others are sent as they are. */
export async function prepareAnswer(
  keyring: ContentKeyring,
  q: TenantQueryable,
  conversation_id: string,
  { text, in_reply_to }: { text: string; in_reply_to: string | null },
): Promise<PreparedAnswer> {
  const asIs: PreparedAnswer = { kind: 'text', content: { text } };
  // Saves a query for most channels: their message ids are no UUIDs.
  if (in_reply_to === null || !UUID.test(in_reply_to)) return asIs;
  const trigger = await q.run(findTrigger(conversation_id, in_reply_to));
  if (!trigger?.is_closed) return asIs;
  const { template } = await openContent(keyring, q, trigger);
  if (!template) return { ...asIs, failure: NO_TEMPLATE };
  const parameters = template.parameters.map((parameter) => filled(parameter, text));
  const sent = { ...template, parameters };
  return { kind: 'template', content: { template: sent, text: templateText(sent) } };
}

/** The channel refuses parameters with line breaks or several spaces in a row. */
const filled = (parameter: string, answer: string): string =>
  parameter
    .replaceAll('{answer}', () => answer.replaceAll(/\s+/g, ' ').trim())
    .slice(0, MAX_PARAMETER_LENGTH)
    .toWellFormed();
