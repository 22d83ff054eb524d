/** In the order in which they are hashed. */
export type ChainedFields = readonly (string | number | null)[];

export interface ChainedRow {
  /** From 1, without gaps. */
  place: number;
  at: Date;
  /** In hex. */
  hash: string;
  fields: ChainedFields;
}

/** Read in one snapshot. */
export interface ChainBounds {
  first: number | null;
  last: number | null;
  sealed: Buffer | null;
}
