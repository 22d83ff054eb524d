import { runHere } from './node-version.ts';

runHere(() => import('./migrate-database.ts'));
