import type { TenantQueryable } from '../platform/db/queryable.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import type { Trace } from '../platform/tracing.ts';
import type { Keyring } from '../secrets/keyring.ts';
import type { Media, Template } from './messages.contract.ts';
import type { StoredContent } from './messages.db.ts';

/** Everything in a message that people wrote or sent, as it is sealed. Fields without a value are left out. */
export interface MessageContent {
  text?: string | null;
  media?: Media[];
  tool_calls?: unknown[];
  template?: Template;
  /** Why a model had no part in an answer. */
  error?: string;
  /** The id of a button or list entry that was chosen. */
  reply_id?: string;
  /** The id of the message that an edit replaces. */
  edited_message_id?: string;
  /** Fields of a system message, which go to the runtime in place of the text. */
  notice?: JsonObject;
  /** The channel's own parts, until a runtime has taken the message. */
  raw?: JsonObject;
  /** The request that brought it, until it is handed on. */
  trace?: Trace;
}

/** The stored text of a template message: its name and parameters, because the channel alone knows its words. */
export const templateText = ({ name, parameters }: Template) => [`[${name}]`, ...parameters].join(' ');

/** The context of a message's seal. */
export const contentContext = (message_id: string) => `message:${message_id}`;

export type ContentKeyring = Pick<Keyring, 'seal' | 'open'>;

/** Seals a message's content under the tenant's key, for this message alone. */
export const sealContent = (
  keyring: ContentKeyring,
  q: TenantQueryable,
  message_id: string,
  content: MessageContent,
): Promise<Buffer> => keyring.seal(q, JSON.stringify(content), contentContext(message_id));

/** Empty once the content was erased. */
export async function openContent(
  keyring: ContentKeyring,
  q: TenantQueryable,
  { id, sealed_content }: StoredContent,
): Promise<MessageContent> {
  if (sealed_content === null) return {};
  return JSON.parse(await keyring.open(q, sealed_content, contentContext(id))) as MessageContent;
}
