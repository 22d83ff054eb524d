import { buffer } from 'node:stream/consumers';
import { isVoiceNote } from '../channels/inbound-content.ts';
import { type MediaServices, openMedia } from '../channels/media.ts';
import { setTranscript } from '../conversations/handled-messages.db.ts';
import { openContent, sealContent } from '../conversations/message-content.ts';
import { holdConversation } from '../conversations/messages.db.ts';
import { meterRecording } from '../models/recordings.ts';
import type { Database } from '../platform/db/database.ts';
import type { TenantQueryable } from '../platform/db/queryable.ts';
import { storableText } from '../platform/json/storable-json.ts';
import { FairSemaphore } from '../platform/load/semaphore.ts';
import { signalAfter } from '../platform/signal-after.ts';
import { audioSeconds } from './audio-length.ts';
import { type WaitingConversation, type WaitingMessage } from './forwarding.db.ts';
import type { Transcriber } from './transcriber.port.ts';

/** For fetching and transcribing a recording. */
const TRANSCRIBED_WITHIN_MS = 60_000;
/** How long a recording may wait for a permit. */
const WAITS_FOR_MS = 120_000;
const MAX_TEXT_LENGTH = 65_536;
const MAX_REASON_LENGTH = 200;
/** Kinds that may be voice notes. */
const RECORDED: ReadonlySet<string> = new Set(['audio', 'voice']);

interface VoiceNoteServices extends MediaServices {
  db: Database;
  transcriber: Transcriber;
}

/** Transcribes voice notes before they are forwarded. */
export class VoiceNotes {
  readonly #services: VoiceNoteServices;
  /** Recordings are held in memory, up to 25 MiB each. */
  readonly #semaphore = new FairSemaphore(
    { ofOne: 2, ofAll: 4 },
    { maxWaiting: 64, waitMs: WAITS_FOR_MS, refusal: () => new Error('too many wait for it') },
  );

  constructor(services: VoiceNoteServices) {
    this.#services = services;
  }

  /**
   * Adds transcripts to the stored contents. Each voice note is tried once: on failure, its text stays null and the message
   * has the error. Rejects when aborted.
   */
  async transcribe(
    q: TenantQueryable,
    conversation: WaitingConversation,
    messages: readonly WaitingMessage[],
    signal: AbortSignal,
  ): Promise<readonly WaitingMessage[]> {
    if (conversation.instance_status !== 'running') return messages;
    const transcribed: WaitingMessage[] = [];
    for (const message of messages)
      transcribed.push(await this.#withTranscript(q, conversation, message, signal));
    return transcribed;
  }

  async #withTranscript(
    q: TenantQueryable,
    conversation: WaitingConversation,
    message: WaitingMessage,
    signal: AbortSignal,
  ): Promise<WaitingMessage> {
    if (!RECORDED.has(message.kind) || message.error !== null) return message;
    const { keyring } = this.#services;
    const content = await openContent(keyring, q, message);
    const [recording] = content.media ?? [];
    if (typeof content.text === 'string' || !recording || !isVoiceNote(content.raw?.message)) return message;
    const { text, error } = await this.#textOf(q, conversation, recording.id, signal);
    signal.throwIfAborted();
    const sealed_content = await sealContent(keyring, q, message.id, { ...content, text });
    const set = setTranscript(message.id, sealed_content, error);
    const { isSet } = await q.run({ hold: holdConversation(conversation.id), isSet: set });
    return isSet ? { ...message, sealed_content, error } : message;
  }

  async #textOf(
    q: TenantQueryable,
    { id: conversation_id, instance_id, customer_id }: WaitingConversation,
    media_id: string,
    signal: AbortSignal,
  ): Promise<{ text: string; error: null } | { text: null; error: string }> {
    const { db, transcriber } = this.#services;
    const work = async (): Promise<string> => {
      const limit = AbortSignal.any([signal, signalAfter(TRANSCRIBED_WITHIN_MS)]);
      const { content, mime_type } = await openMedia(this.#services, q, { conversation_id }, media_id, limit);
      const recording = { bytes: await buffer(content), mime_type };
      const call = { instance_id, customer_id, conversation_id, model: transcriber.model };
      return meterRecording(db, q, { ...call, seconds: audioSeconds(recording) }, async () => {
        const { text, seconds } = await transcriber.transcribe(recording, limit);
        return { result: text, seconds };
      });
    };
    try {
      const transcript = (await this.#semaphore.run(q.tenant_id, work, signal)).trim();
      if (transcript === '') throw new Error('it has no words');
      return { text: storableText(transcript.slice(0, MAX_TEXT_LENGTH)), error: null };
    } catch (error) {
      const reason = error instanceof Error ? storableText(error.message) : 'unknown';
      const sentence = `The voice note was not transcribed: ${reason}`;
      return { text: null, error: sentence.slice(0, MAX_REASON_LENGTH) };
    }
  }
}
