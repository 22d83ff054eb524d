/** fetch that aborts a response longer than `maxBytes`. It follows no redirect: credentials are for this address only. */
export const boundedFetch =
  (maxBytes: number): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' });
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
