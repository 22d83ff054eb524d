import Type, { type TSchema } from 'typebox';
import { NamedObject, named } from './named.ts';
import { about, Nullable, OpenObject } from './shapes.ts';

export const MAX_BATCH = 50;

const version = about(Type.Literal('2.0'), 'The version of JSON-RPC');
const Id = Type.Unsafe<string | number>({ type: ['string', 'integer'] });

const Request = NamedObject('JsonRpcRequest', {
  jsonrpc: version,
  id: about(Type.Optional(Id), 'Comes back with the answer; a notification has none'),
  method: about(Type.String(), 'As tools/list or tools/call'),
  params: about(Type.Optional(OpenObject), 'The parameters of the method'),
});

const Failure = NamedObject('JsonRpcError', {
  code: about(Type.Integer(), 'As JSON-RPC and MCP number it'),
  message: about(Type.String(), 'What is wrong, in words'),
  data: about(Type.Optional(Type.Unsafe<unknown>({})), 'Details, where there are any'),
});

export const McpFailure = NamedObject('JsonRpcResponse', {
  jsonrpc: version,
  id: about(Nullable(Id), 'The request’s; null where the error belongs to none'),
  result: about(Type.Optional(OpenObject), 'The result of the method'),
  error: Type.Optional(Failure),
});

/** Only some revisions have batches. */
const orBatch = <T extends TSchema>(message: T) =>
  Type.Union([message, Type.Array(message, { minItems: 1, maxItems: MAX_BATCH })]);

export const McpCall = named('McpCall', orBatch(Request));
export const McpAnswer = named('McpAnswer', orBatch(McpFailure));
