/** How long it is tried to hand a message over (contract, section 7). */
const TRIED_MS = 24 * 60 * 60 * 1000;

export const giveUpAt = (since: Date): Date => new Date(since.getTime() + TRIED_MS);
