/** A sealed value that does not open: it was damaged, moved to another row, or sealed by a key that is gone. */
export class Unreadable extends Error {}

/** For lists, in which one damaged value must not fail the others. */
export async function openedOr<T, Other>(opening: Promise<T>, other: Other): Promise<T | Other> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof Unreadable) return other;
    throw error;
  }
}
