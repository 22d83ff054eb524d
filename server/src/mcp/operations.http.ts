import { type Route, route } from '../platform/http/handler.ts';
import { callOperation, searchOperations } from './operations.contract.ts';

/** The tools over the tools are carried out where calls are (call-tool.ts), because they need all others. */
const elsewhere = () => Promise.resolve(undefined);

export const operationToolRoutes: readonly Route<unknown>[] = [
  route(searchOperations, elsewhere),
  route(callOperation, elsewhere),
];
