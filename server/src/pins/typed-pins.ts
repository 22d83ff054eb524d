import type { Sender } from '../platform/actor.ts';
import { ServiceError } from '../platform/errors.ts';

/** Hides PINs in what a sender wrote last. It does not belong to the request's change, which may have been refused. */
export type HidePins = (sender: Sender, pins: readonly string[]) => Promise<void>;

export interface TypedPinServices {
  hidePins: HidePins;
}

const PIN = /^\d{4,12}$/;

/**
 * Does something with PINs that a sender typed, and then hides them in the conversation (contract, section 13: people read
 * it). They stay readable while the same call is worth another try, because the message will then be forwarded again.
 * @param sender undefined: nobody knows where they were typed
 * @param typed of these, those that look like PINs
 */
export async function hidingPins<T>(
  { hidePins }: TypedPinServices,
  sender: Sender | undefined,
  typed: readonly (string | null | undefined)[],
  work: () => Promise<T>,
): Promise<T> {
  const pins = typed.filter((text): text is string => typeof text === 'string' && PIN.test(text));
  if (!sender || pins.length === 0) return work();
  const result = await work().catch(async (error: unknown) => {
    if (isFinal(error)) await hidePins(sender, pins);
    throw error;
  });
  await hidePins(sender, pins);
  return result;
}

const isFinal = (error: unknown): boolean =>
  error instanceof ServiceError && ['forbidden', 'not_found', 'conflict'].includes(error.code);
