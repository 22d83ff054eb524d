import { runHere } from './node-version.ts';

runHere(() => import('./serve.ts'));
