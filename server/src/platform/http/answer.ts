import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Operation, ReplyOf } from '../contract/operation.ts';
import { JsonList } from '../json/json-list.ts';
import { JsonText } from '../json/json-text.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

export async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  result: ReplyOf<Operation>,
): Promise<FastifyReply> {
  reply.code(result.status).headers(result.headers ?? {});
  const body: unknown = result.body;
  if (body === null) return reply.send();
  // Handlers set the type of text and bytes.
  if (typeof body !== 'object' || Buffer.isBuffer(body)) return reply.send(body);
  reply.type(JSON_TYPE);
  if (body instanceof JsonList) return reply.send(body.whole ?? streamOf(request, body));
  return reply.send(body instanceof JsonText ? body.content : JSON.stringify(body));
}

/** HEAD must not read the items. */
const streamOf = ({ method }: FastifyRequest, list: JsonList<unknown>): Readable =>
  Readable.from(method === 'HEAD' ? [] : list.pieces());
