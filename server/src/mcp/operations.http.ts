import { type Route, route } from '../platform/http/handler.ts';
import { callOperation, searchOperations } from './operations.contract.ts';

/** call-tool.ts executes these two, because they need all other tools. */
const notHere = () => Promise.resolve(undefined);

export const operationToolRoutes: readonly Route<unknown>[] = [
  route(searchOperations, notHere),
  route(callOperation, notHere),
];
