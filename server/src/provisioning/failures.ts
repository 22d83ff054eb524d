/** A failure that another attempt cannot mend: the task is undone at once. */
export class PermanentFailure extends Error {}

/** The step waits for something that others bring about or give up. It is tried again until one of the two is known. */
export class NotYet extends Error {}

/** Another runner has taken the task over; this one stops without a trace. */
export class TakenOver extends Error {}
