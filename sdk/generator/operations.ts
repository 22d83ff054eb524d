import { bodyOf, type Described, type Entry, type Schema, successOf, takesFile } from './document.ts';
import { HEADER } from './header.ts';

/** See contract, section 10; customers have total_pages too. */
const PAGE_FIELDS = ['page', 'per_page', 'total', 'total_pages', 'next_before'];

const credentialNames: Readonly<Record<string, string>> = {
  apiKey: 'apiKey',
  bearer: 'accessToken',
  proxyKey: 'proxyKey',
  operations: 'operationsToken',
};

/** Other content types are read as text. */
const ANSWERS: Readonly<Record<string, Facts['answers']>> = {
  'application/json': 'json',
  '*/*': 'bytes',
};

/** Empty for a public operation. */
export const credentialsOf = ({ operationId, security }: Described): string[] =>
  security.flatMap((schemes) =>
    Object.keys(schemes).map((scheme) => {
      const name = credentialNames[scheme];
      if (!name) throw new Error(`${operationId} needs ${scheme}, for which the client has no name`);
      return name;
    }),
  );

interface Facts {
  method: string;
  path: string;
  credentials: string[];
  optional?: true;
  answers: 'json' | 'text' | 'bytes' | 'nothing';
  items?: string;
  most_per_page?: number;
  keyed?: true;
  takes?: 'file';
}

export function factsOf({ method, path, operation }: Entry): Facts {
  const [type] = Object.keys(successOf(operation));
  const answers = type === undefined ? 'nothing' : (ANSWERS[type] ?? 'text');
  // The key of an answer is the id of the message that it answers. A random key would allow a second answer.
  const { idempotency_key, in_reply_to } = bodyOf(operation)?.properties ?? {};
  const keyed = idempotency_key !== undefined && in_reply_to === undefined;
  const page = pageOf(operation);
  const optional = operation.security.some((schemes) => Object.keys(schemes).length === 0);
  return {
    method,
    path,
    credentials: credentialsOf(operation),
    ...(optional && { optional }),
    answers,
    ...page,
    ...(keyed && { keyed }),
    ...(takesFile(operation) && { takes: 'file' }),
  };
}

export function pageOf(operation: Described): Required<Pick<Facts, 'items' | 'most_per_page'>> | undefined {
  const schema: Schema | undefined = successOf(operation)['application/json']?.schema;
  const per_page = operation.parameters.find(({ name }) => name === 'per_page');
  const isNumbered = operation.parameters.some(({ name }) => name === 'page');
  if (!schema?.properties || !per_page || !isNumbered) return undefined;
  const rows = Object.keys(schema.properties).filter((name) => !PAGE_FIELDS.includes(name));
  // An answer with a page of rows among other fields is no list.
  if (rows.includes('items') && operation.operationId.startsWith('get_') && rows.length > 1) return undefined;
  const [items] = rows;
  const most_per_page = per_page.schema.maximum;
  if (items === undefined || rows.length > 1 || most_per_page === undefined) {
    throw new Error(`${operation.operationId} pages, but not as others do: ${rows.join(', ')}`);
  }
  return { items, most_per_page };
}

export function operationsText(entries: readonly Entry[]): string {
  const rows = entries.map((entry) => `  ${entry.operation.operationId}: ${JSON.stringify(factsOf(entry))},`);
  return `${HEADER}import type { OperationFacts } from '../operation-facts.ts';

/** Facts about each operation that the client needs at run time. */
export const operations = {
${rows.join('\n')}
} as const satisfies Record<string, OperationFacts>;
`;
}
