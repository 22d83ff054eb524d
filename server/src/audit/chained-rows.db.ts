/** The content of a row in the order in which it is hashed. */
export type ChainedFields = readonly (string | number | null)[];

/** A row at its place in a chain. */
export interface ChainedRow {
  /** From 1, without a gap. */
  place: number;
  at: Date;
  /** In hex. */
  hash: string;
  fields: ChainedFields;
}

/** The first and the last place that a row has, and the stored head, in one snapshot. */
export interface ChainBounds {
  first: number | null;
  last: number | null;
  sealed: Buffer | null;
}
