import type { Sender } from '../platform/actor.ts';
import { ServiceError } from '../platform/errors.ts';

/** Not part of the request's change, which may have been refused. */
export type HidePins = (sender: Sender, pins: readonly string[]) => Promise<void>;

export interface TypedPinServices {
  hidePins: HidePins;
}

const PIN = /^\d{4,12}$/;

/**
 * Hides the PINs in the conversation, because people read it (contract, section 13). After an error that a retry may
 * resolve they stay, because the message will be forwarded again.
 * @param sender undefined: nothing is hidden
 * @param typed only texts that look like PINs are hidden
 */
export async function hidePinsAfter<T>(
  { hidePins }: TypedPinServices,
  sender: Sender | undefined,
  typed: readonly (string | null | undefined)[],
  work: () => Promise<T>,
): Promise<T> {
  const pins = typed.filter((text): text is string => typeof text === 'string' && PIN.test(text));
  if (!sender || pins.length === 0) return work();
  const result = await work().catch(async (error: unknown) => {
    if (isFinalError(error)) await hidePins(sender, pins);
    throw error;
  });
  await hidePins(sender, pins);
  return result;
}

const isFinalError = (error: unknown): boolean =>
  error instanceof ServiceError && ['forbidden', 'not_found', 'conflict'].includes(error.code);
