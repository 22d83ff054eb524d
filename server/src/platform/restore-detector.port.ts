/** The database's number that this copy of the service saw last. */
export interface LastSeenNumber {
  /** undefined: this copy has never started. */
  read(): Promise<number | undefined>;
  write(number: number): Promise<void>;
}
