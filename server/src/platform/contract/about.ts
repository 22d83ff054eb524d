import { createRequire } from 'node:module';

const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string };

/** For the OpenAPI document and MCP clients. */
export const TITLE = 'Agent Control Plane';
export const VERSION = version;
