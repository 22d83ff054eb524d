// With --import: threads of the service start from TypeScript, as vitest starts the tests. Node 20 cannot do that.
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
