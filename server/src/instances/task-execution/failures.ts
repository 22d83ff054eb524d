/** A failure of a step that another try cannot mend. */
export class PermanentFailure extends Error {}

/** What a step needs is somebody else's to bring about, or to give up: it is tried until it is known which. */
export class NotYet extends Error {}

/** Another runner has taken the task over; this one has nothing more to say. */
export class TakenOver extends Error {}
