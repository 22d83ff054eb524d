import type { Operation } from '../contract/operation.ts';

/** Finds the methods that a path knows, for the Allow header of a 405 (RFC 9110, section 15.5.6). */
export function methodLookup(
  served: readonly Pick<Operation, 'method' | 'path'>[],
): (url: string) => string[] {
  const known = served.map(({ path, method }) => ({ pattern: toPattern(path), method }));
  return (url) => {
    const path = url.split('?', 1)[0] ?? '';
    const methods = new Set<string>(
      known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method),
    );
    if (methods.has('GET')) methods.add('HEAD');
    return [...methods].toSorted();
  };
}

const toPattern = (path: string) =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
