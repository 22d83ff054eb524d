/** The fields that differ from what is stored: a PATCH says nothing of the others, which may have changed since. */
export const changed = <Body extends object>(
  before: { readonly [Field in keyof Body]?: unknown },
  after: Body,
): Partial<Body> => {
  const partial: Partial<Body> = { ...after };
  for (const field of Object.keys(after) as (keyof Body)[])
    if (JSON.stringify(before[field] ?? null) === JSON.stringify(after[field] ?? null)) delete partial[field];
  return partial;
};
