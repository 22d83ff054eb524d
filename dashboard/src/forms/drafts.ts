/** Answers that are not sent yet, by conversation. They live as long as the tab, and are stored nowhere. */
const drafts = new Map<string, string>();

export const draftOf = (conversation_id: string): string => drafts.get(conversation_id) ?? '';

export function keepDraft(conversation_id: string, text: string): void {
  if (text === '') drafts.delete(conversation_id);
  else drafts.set(conversation_id, text);
}

/** A key for one text: sent again after a lost answer, it stands once. Plain HTTP by name has no randomUUID. */
export const newKey = (): string =>
  crypto
    .getRandomValues(new Uint8Array(16))
    .reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '');
