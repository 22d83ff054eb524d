import { createRequire } from 'node:module';

const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string };

/** What the service calls itself, in its document and to models. */
export const TITLE = 'Agent Control Plane';
export const VERSION = version;
