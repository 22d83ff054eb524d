import type { FastifyRequest } from 'fastify';
import type { Operation } from '../contract/operation.ts';
import { notFound, ServiceError } from '../errors.ts';

type Served = Pick<Operation, 'method' | 'path'>;

/**
 * Refuses requests that no route takes: 404, or 405 for a path with other methods. It runs before the body is read and
 * covers methods that Fastify treats specially.
 */
export function refusalOfUnserved(
  served: readonly Served[],
): (request: FastifyRequest) => ServiceError | undefined {
  const allowedMethods = methodLookup(served);
  return ({ is404, method, url }) => {
    if (!is404) return undefined;
    const allow = allowedMethods(url).join(', ');
    if (allow === '') return notFound('Route');
    return new ServiceError('method_not_allowed', `Method ${method} is not allowed here`, { allow });
  };
}

/** Methods of a path, for the Allow header of a 405 (RFC 9110, section 15.5.6). */
function methodLookup(served: readonly Served[]): (url: string) => string[] {
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
