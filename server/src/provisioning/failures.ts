/** No retry can help, so the task is undone at once. */
export class PermanentFailure extends Error {}

/** The step waits for an event. It is retried without a limit, because the event or its failure will come. */
export class NotYet extends Error {}

/** Another runner took the task over. This one stops without further effect. */
export class TakenOver extends Error {}
