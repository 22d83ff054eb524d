import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Operation, ReplyOf } from '../contract/operation.ts';
import { JsonList } from '../json/json-list.ts';
import { JsonText } from '../json/json-text.ts';
import { largeJson } from './large-json.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends what a handler returned. */
export async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  result: ReplyOf<Operation>,
): Promise<FastifyReply> {
  reply.code(result.status).headers(result.headers ?? {});
  const body: unknown = result.body;
  if (body === null) return reply.send();
  // Text and bytes name their own type.
  if (typeof body !== 'object' || Buffer.isBuffer(body)) return reply.send(body);
  if (body instanceof JsonList) return sendJson(reply, body.whole ?? piecesFor(request, body));
  return sendJson(reply, (body instanceof JsonText ? body : await largeJson(body)).content);
}

/** Nothing for HEAD, which would read all of them after the answer. */
const piecesFor = ({ method }: FastifyRequest, list: JsonList<unknown>): AsyncIterable<string> =>
  method === 'HEAD' ? Readable.from([]) : list.pieces();

const sendJson = (
  reply: FastifyReply,
  content: JsonText<unknown>['content'] | AsyncIterable<string>,
): FastifyReply =>
  reply
    .type(JSON_TYPE)
    .send(typeof content === 'string' || Buffer.isBuffer(content) ? content : Readable.from(content));
