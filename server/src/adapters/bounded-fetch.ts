/** Aborts responses over `maxBytes`. Follows no redirect, because the credentials are for this address only. */
export const boundedFetch =
  (maxBytes: number, send: typeof fetch = fetch): typeof fetch =>
  async (input, init) => {
    const response = await send(input, { ...init, redirect: 'manual' });
    if (!response.body) return response;
    let left = maxBytes;
    const bound = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        left -= chunk.byteLength;
        if (left < 0) controller.error(new Error('The response is too large'));
        else controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(bound), response);
  };
