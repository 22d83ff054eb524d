/** A credential's name in the client's options. */
export type CredentialName = 'apiKey' | 'accessToken' | 'proxyKey' | 'operationsToken';

/** The facts about an operation that the client needs at run time. */
export interface OperationFacts {
  readonly method: string;
  /** Parameters are in braces. */
  readonly path: string;
  /** Any of them is accepted; empty for a public operation. */
  readonly credentials: readonly CredentialName[];
  /** The operation can be called without a credential, too. */
  readonly optional?: true;
  readonly answers: 'json' | 'text' | 'bytes' | 'nothing';
  /** For pages: the field with the rows, and the largest page size. */
  readonly items?: string;
  readonly most_per_page?: number;
  /** The operation runs once per idempotency_key of its body. */
  readonly keyed?: true;
}
