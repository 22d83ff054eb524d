/** Thrown by the work of meterRecording when the provider refused, which costs nothing. */
export class NotBilled extends Error {}
