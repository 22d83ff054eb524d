export type JsonObject = Record<string, unknown>;

/** True for what JSON calls an object: neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
