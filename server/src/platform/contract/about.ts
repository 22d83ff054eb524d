import { createRequire } from 'node:module';

const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string };

/** The service's name and version, in the OpenAPI document and to models. */
export const TITLE = 'Agent Control Plane';
export const VERSION = version;
