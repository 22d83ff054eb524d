import { Ajv, type ValidateFunction } from 'ajv';
import { formats } from '../../src/platform/contract/formats.ts';
import type { Operation } from '../../src/platform/contract/operation.ts';
import { JsonList } from '../../src/platform/json/json-list.ts';

const ajv = new Ajv({ strict: false, allErrors: true, formats });
const compiled = new WeakMap<object, ValidateFunction>();

export function checkReply(operation: Operation, status: number, body: unknown): void {
  const schema = operation.responses[status];
  if (schema === undefined) throw new Error(`${operation.id} answered ${status}, which it does not declare`);
  if (schema === null) {
    if (body !== null) throw new Error(`${operation.id} answered ${status} with a body`);
    return;
  }
  const key = `${operation.id} ${status}`;
  let validate = compiled.get(schema);
  if (!validate) compiled.set(schema, (validate = ajv.compile(schema)));
  const text = body instanceof JsonList ? body.whole?.toString() : JSON.stringify(body);
  // Streamed lists have the items of other lists.
  if (text === undefined) return;
  const wire: unknown = JSON.parse(text);
  if (!validate(wire)) throw new Error(`${key}: ${ajv.errorsText(validate.errors)}: ${JSON.stringify(wire)}`);
}
