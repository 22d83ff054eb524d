export type CredentialName = 'apiKey' | 'accessToken' | 'proxyKey' | 'operationsToken';

/** Facts about an operation that the client needs at run time. */
export interface OperationFacts {
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  /** Any of them is accepted; empty for a public operation. */
  readonly credentials: readonly CredentialName[];
  /** A credential is not required. */
  readonly optional?: true;
  readonly answers: 'json' | 'text' | 'bytes' | 'nothing';
  /** For pages: the field with the rows, and the largest page size. */
  readonly items?: string;
  readonly most_per_page?: number;
  /** Runs once per idempotency_key of its body. */
  readonly keyed?: true;
  /** The body is a file. */
  readonly takes?: 'file';
}
