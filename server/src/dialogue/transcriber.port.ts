export interface Recording {
  bytes: Uint8Array;
  mime_type: string | null;
}

interface Transcript {
  text: string;
  /** The length as the provider bills it; null: it did not tell. */
  seconds: number | null;
}

export interface Transcriber {
  readonly model: string;
  /** Rejects with an error whose message is short and without secrets: NotBilled when the provider refused. */
  transcribe(recording: Recording, signal: AbortSignal): Promise<Transcript>;
}
