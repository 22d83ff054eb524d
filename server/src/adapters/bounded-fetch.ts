/** fetch that follows no redirect, because what is sent is for this address alone, and breaks off a longer answer. */
export const boundedFetch =
  (maxBytes: number): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' });
    if (!response.body) return response;
    let left = maxBytes;
    const bound = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        left -= chunk.byteLength;
        if (left < 0) controller.error(new Error('The answer is too large'));
        else controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(bound), response);
  };
