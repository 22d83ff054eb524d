import { randomUUID } from 'node:crypto';
import type { Drive } from '../../src/drive/drive.port.ts';
import type { LlmClient } from '../../src/models/llm-client.port.ts';
import type { Operation } from '../../src/platform/contract/operation.ts';

/** An operation's path with its parameters filled in; what is not given is an id that nothing has. */
export const pathOf = (operation: Operation, params: Readonly<Record<string, string>> = {}): string =>
  operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? randomUUID()),
  );

/** A drive whose every file is empty. */
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

/** A model that says the same to everybody. */
export const cannedModel: LlmClient = {
  mayName: () => true,
  send: async () => ({
    status: 200,
    content_type: 'application/json',
    retry_after: undefined,
    body: new Blob(['{"choices":[]}']).stream(),
  }),
};

/** A provider that has to be there before a model is called; the name is also that of a tenant's own one. */
export const PROVIDER = { base_url: 'https://models.example.com/v1', api_key: 'key' };
