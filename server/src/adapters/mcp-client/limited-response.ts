export class TooLarge extends Error {
  constructor(whose: string, bytes: number) {
    super(`${whose} larger than ${bytes / 1024} KiB`);
  }
}

/** The body fails with what `exceeded` gives for the bytes of a piece. */
export function limitedResponse(
  response: Response,
  exceeded: (bytes: number) => TooLarge | undefined,
): Response {
  if (!response.body) return response;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const error = exceeded(chunk.byteLength);
      if (error) controller.error(error);
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText } = response;
  const headers = new Headers([...response.headers]);
  return new Response(response.body.pipeThrough(limit), { status, statusText, headers });
}
