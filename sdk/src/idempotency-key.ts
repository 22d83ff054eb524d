/** @returns the body with a key, random unless it has one, that makes the same request of all its attempts */
export function withIdempotencyKey(body: unknown): unknown {
  const fields = body as { idempotency_key?: string | null };
  return { ...fields, idempotency_key: fields.idempotency_key ?? randomKey() };
}

/** 128 random bits. (randomUUID is missing in browsers where the page came over plain HTTP.) */
const randomKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
