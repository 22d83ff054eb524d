export interface Recording {
  bytes: Uint8Array;
  mime_type: string | null;
}

/** Rejects with an error whose message is short and without secrets. */
export interface Transcriber {
  transcribe(recording: Recording, signal: AbortSignal): Promise<string>;
}
