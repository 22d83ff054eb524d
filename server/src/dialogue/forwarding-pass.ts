import type { ReadMarks } from '../channels/read-marks.ts';
import { mergeLayers } from '../conversations/config-layers.ts';
import type { SenderTokens } from '../identities/sender-tokens.ts';
import type { TenantDb } from '../platform/db/queryable.ts';
import type { SeldomLog } from '../platform/seldom-log.ts';
import type { Tracing } from '../platform/tracing.ts';
import type { RuntimeClient } from '../runtimes/runtime-client.port.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { type ConversationSettings, readConversationSettings } from './conversation-settings.ts';
import type { DialogueMetrics } from './dialogue-metrics.ts';
import type { WaitingConversation, WaitingMessage } from './forwarding.db.ts';
import type { NotedRepeats } from './repeats.db.ts';
import type { VoiceNotes } from './voice-notes.ts';

export interface ForwardingServices {
  keyring: Keyring;
  runtimes: RuntimeClient;
  senderTokens: SenderTokens;
  readMarks: ReadMarks;
  /** undefined without a transcriber. */
  voiceNotes: VoiceNotes | undefined;
  dialogueMetrics: DialogueMetrics;
  /** Failures, once a minute per instance. */
  seldomLog: SeldomLog;
  tracing: Tracing;
}

/** One pass over the waiting messages of a conversation. */
export interface ForwardingPass {
  services: ForwardingServices;
  q: TenantDb;
  /** Read before the query, so messages that arrive meanwhile are handled in the next pass. */
  now: Date;
  conversation: WaitingConversation;
  settings: ConversationSettings;
  /** undefined before the sender's first text. */
  repeats: NotedRepeats | undefined;
  /** Aborted when the service stops. */
  signal: AbortSignal;
}

export const settingsOf = (conversation: WaitingConversation): ConversationSettings =>
  readConversationSettings(mergeLayers(conversation), conversation.timezone);

/** The same messages, with the texts of voice notes where they are transcribed. */
export const withTranscripts = async (
  { services, q, conversation, signal }: ForwardingPass,
  messages: readonly WaitingMessage[],
): Promise<readonly WaitingMessage[]> =>
  (await services.voiceNotes?.transcribe(q, conversation, messages, signal)) ?? messages;
