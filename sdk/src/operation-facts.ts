/** A credential as the client's options call it. */
export type CredentialName = 'apiKey' | 'accessToken' | 'proxyKey' | 'operationsToken';

/** What a client has to know of an operation when it runs. */
export interface OperationFacts {
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  /** Any of them opens the operation; where there is none, it is open to anybody. */
  readonly credentials: readonly CredentialName[];
  readonly answers: 'json' | 'text' | 'nothing';
  /** The field that holds a page's rows, where the operation pages, and how many it can have. */
  readonly items?: string;
  readonly most_per_page?: number;
  /** It is done once for each idempotency_key of its body. */
  readonly keyed?: true;
}
