import { mergeLayers } from '../conversations/config-layers.ts';
import type { SenderTokens } from '../identities/sender-tokens.ts';
import type { TenantDb } from '../platform/db/queryable.ts';
import type { SeldomLog } from '../platform/seldom-log.ts';
import type { Tracing } from '../platform/tracing.ts';
import type { RuntimeClient } from '../runtimes/runtime-client.port.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { type ConversationSettings, readConversationSettings } from './conversation-settings.ts';
import type { DialogueMetrics } from './dialogue-metrics.ts';
import type { WaitingConversation } from './forwarding.db.ts';
import type { VoiceNotes } from './voice-notes.ts';

export interface ForwardingServices {
  keyring: Keyring;
  runtimes: RuntimeClient;
  senderTokens: SenderTokens;
  /** undefined where nothing transcribes them. */
  voiceNotes: VoiceNotes | undefined;
  dialogueMetrics: DialogueMetrics;
  /** Failures, once a minute for each instance. */
  seldomLog: SeldomLog;
  tracing: Tracing;
}

/** One look at a conversation, and everything that decides about its waiting messages. */
export interface ForwardingPass {
  services: ForwardingServices;
  q: TenantDb;
  /** Before the look: what came later is looked at again. */
  now: Date;
  conversation: WaitingConversation;
  settings: ConversationSettings;
  /** Aborted when the service stops. */
  signal: AbortSignal;
}

/** The settings of a conversation, from the layers of its configuration. */
export const settingsOf = (conversation: WaitingConversation): ConversationSettings =>
  readConversationSettings(mergeLayers(conversation), conversation.timezone);
