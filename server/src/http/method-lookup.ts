import type { Operation } from '../contract/operation.ts';

interface PathPattern {
  pattern: RegExp;
  method: string;
}

type Known = readonly Pick<Operation, 'method' | 'path'>[];

const patterns = new WeakMap<Known, PathPattern[]>();

/** The methods that a path knows, for the Allow header of a 405 (RFC 9110, section 15.5.6). */
export function allowedMethods(operations: Known, url: string): string[] {
  let known = patterns.get(operations);
  if (!known) {
    known = operations.map(({ path, method }) => ({ pattern: toPattern(path), method }));
    patterns.set(operations, known);
  }
  const path = url.split('?', 1)[0] ?? '';
  const methods = new Set(known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method));
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].toSorted();
}

const toPattern = (path: string) =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
