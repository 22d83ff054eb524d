/** The number of the database, as this copy of the service saw it last. */
export interface KeptNumber {
  /** undefined: this copy has never started. */
  read(): Promise<number | undefined>;
  write(number: number): Promise<void>;
}
