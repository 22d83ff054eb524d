export class TooLarge extends Error {
  /** @param bytes the limit, without the protocol's envelope */
  constructor(bytes: number) {
    super(`Its answer is larger than ${bytes / 1024} KiB`);
  }
}

/** The body fails with TooLarge after `maxBytes` and the envelope. */
export function limitedResponse(
  response: Response,
  { maxBytes, envelopeBytes }: { maxBytes: number; envelopeBytes: number },
  onTooLarge: (error: TooLarge) => void,
): Response {
  if (!response.body) return response;
  let left = maxBytes + envelopeBytes;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.byteLength;
      if (left >= 0) return controller.enqueue(chunk);
      const error = new TooLarge(maxBytes);
      onTooLarge(error);
      controller.error(error);
    },
  });
  const { status, statusText } = response;
  const headers = new Headers([...response.headers]);
  return new Response(response.body.pipeThrough(limit), { status, statusText, headers });
}
