/** Known of a request's field, as the client's generator writes it in `fields.ts`. */
export interface FieldFacts {
  required?: boolean;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
}

/** The same as native constraints of an input. */
export const boundsOf = ({ required, minLength, maxLength, minimum, maximum, pattern }: FieldFacts) => ({
  required,
  minLength,
  maxLength,
  min: minimum,
  max: maximum,
  pattern: pattern !== undefined && isForInputs(pattern) ? pattern : undefined,
});

/** Browsers read an input's pattern with the flag `v`, which refuses some classes; the server checks those alone. */
function isForInputs(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'v').source !== '';
  } catch {
    return false;
  }
}
