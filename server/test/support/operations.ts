import { randomUUID } from 'node:crypto';
import type { Drive } from '../../src/drive/drive.port.ts';
import type { LlmClient } from '../../src/models/llm-client.port.ts';
import type { Operation } from '../../src/platform/contract/operation.ts';

/** Missing parameters become ids that nothing has. */
export const pathOf = (operation: Operation, params: Readonly<Record<string, string>> = {}): string =>
  operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? randomUUID()),
  );

export const emptyDrive: Drive = {
  search: async () => [],
  read: async (_, id) => ({
    id,
    name: 'Empty',
    mime_type: 'text/plain',
    size: 0,
    encoding: 'utf-8',
    content: '',
  }),
};

export const cannedModel: LlmClient = {
  mayName: () => true,
  isInside: () => false,
  send: async () => ({
    status: 200,
    content_type: 'application/json',
    retry_after: undefined,
    body: new Blob([
      '{"choices":[{"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}]}',
    ]).stream(),
  }),
};

/** Models need a provider; tenants' own providers have the same name. */
export const PROVIDER = { base_url: 'https://models.example.com/v1', api_key: 'key' };
