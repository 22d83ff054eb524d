export class TooLarge extends Error {
  constructor() {
    super('Its answer is larger than 256 KiB');
  }
}

/** The body fails with TooLarge after `maxBytes`. */
export function limitedResponse(
  response: Response,
  maxBytes: number,
  onTooLarge: (error: TooLarge) => void,
): Response {
  if (!response.body) return response;
  let left = maxBytes;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.byteLength;
      if (left >= 0) return controller.enqueue(chunk);
      const error = new TooLarge();
      onTooLarge(error);
      controller.error(error);
    },
  });
  const { status, statusText } = response;
  const headers = new Headers([...response.headers]);
  return new Response(response.body.pipeThrough(limit), { status, statusText, headers });
}
