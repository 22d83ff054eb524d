import type { TenantQueryable } from '../platform/db/queryable.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import type { Trace } from '../platform/tracing.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { openedOr } from '../secrets/unreadable.ts';
import type { Media, Reaction, Referral, Template } from './messages.contract.ts';
import type { StoredContent } from './messages.db.ts';
import type { MessageButton, MessageOptions } from './rich-answers.contract.ts';

/** The sealed part of a message: everything that people wrote or sent. Fields without a value are absent. */
export interface MessageContent {
  text?: string | null;
  media?: Media[];
  buttons?: MessageButton[];
  options?: MessageOptions;
  tool_calls?: unknown[];
  template?: Template;
  /** Why the answer is not a model's. */
  error?: string;
  reply_id?: string;
  /** The channel's id of the message that an edit replaces. */
  edited_message_id?: string;
  /** The channel's id of the message that its writer has deleted. */
  revoked_message_id?: string;
  /** The channel's id of the message that this one answers or reacts to. */
  quoted_id?: string;
  referral?: Referral;
  /** The sender has passed on somebody else's message. */
  forwarded?: true;
  reaction?: Reaction;
  /** The name or address of the group's member. */
  said_by?: string;
  /** Fields of a system message that the runtime gets instead of the text. */
  notice?: JsonObject;
  /** The channel's original message; erased once a runtime has taken it. */
  raw?: JsonObject;
  /** Trace of the request that brought the message, until it is delivered. */
  trace?: Trace;
}

/** Name and parameters: only the channel knows the text of a template. */
export const templateText = ({ name, parameters }: Template) => [`[${name}]`, ...parameters].join(' ');

export const contentContext = (message_id: string) => `message:${message_id}`;

export type ContentKeyring = Pick<Keyring, 'seal' | 'open'>;

/** The context binds the content to its message: in another row, it does not open. */
export const sealContent = (
  keyring: ContentKeyring,
  q: TenantQueryable,
  message_id: string,
  content: MessageContent,
): Promise<Buffer> => keyring.seal(q, JSON.stringify(content), contentContext(message_id));

export const UNREADABLE = 'unreadable';
const DAMAGED: MessageContent = { text: null, error: UNREADABLE };

/** Its message is shown without content, and goes nowhere. */
export const isUnreadable = (content: MessageContent): boolean => content === DAMAGED;

/** Empty once it was erased; isUnreadable where it cannot be deciphered. */
export async function openContent(
  keyring: ContentKeyring,
  q: TenantQueryable,
  { id, sealed_content }: StoredContent,
): Promise<MessageContent> {
  if (sealed_content === null) return {};
  const text = await openedOr(keyring.open(q, sealed_content, contentContext(id)), undefined);
  return text === undefined ? DAMAGED : (JSON.parse(text) as MessageContent);
}
