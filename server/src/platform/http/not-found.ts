import type { FastifyRequest } from 'fastify';
import type { Operation } from '../contract/operation.ts';
import { notFound, ServiceError } from '../errors.ts';
import { withOpenAiError } from '../openai-errors.ts';

type Served = Pick<Operation, 'method' | 'path' | 'openAiErrors'>;

const hasRoute = ({ is404 }: FastifyRequest) => !is404;

/**
 * 404 for unknown paths, 405 for other methods of a path. Runs before the body is read, also for methods that Fastify
 * treats specially.
 * @param isServed the router's word, unless fewer routes are served than it knows
 */
export function unservedCheck(
  served: readonly Served[],
  isServed: (request: FastifyRequest) => boolean = hasRoute,
): (request: FastifyRequest) => ServiceError | undefined {
  const allowedMethods = methodLookup(served);
  const literalPaths = literalLookup(served);
  const operationsNear = openAiLookup(served);
  return (request) => {
    const { method, url, routeOptions } = request;
    const isLiteral = literalPaths(routeOptions.url, url);
    if (isServed(request) && !isLiteral) return undefined;
    const allow = allowedMethods(url).join(', ');
    const ofOpenAi = operationsNear(url);
    const refusal = allow === '' ? notFound('Route') : notAllowed(method, allow);
    if (ofOpenAi.length === 0) return refusal;
    if (allow !== '') return asOpenAiError(refusal);
    return asOpenAiError(
      new ServiceError('not_found', `${refusal.message}. There are ${ofOpenAi.join(' and ')}`),
    );
  };
}

const notAllowed = (method: string, allow: string) =>
  new ServiceError('method_not_allowed', `Method ${method} is not allowed here`, { allow });

/**
 * Finds the operations with OpenAI's errors below whose folder a path is, because its clients may call operations that this
 * service lacks.
 */
function openAiLookup(served: readonly Served[]): (url: string) => string[] {
  const ofOpenAi = served
    .filter(({ openAiErrors }) => openAiErrors)
    .map(({ method, path }) => ({ name: `${method} ${path}`, folder: path.slice(0, path.lastIndexOf('/')) }));
  const patterns = ofOpenAi.map(({ folder }) => toPattern(folder, '/'));
  return (url) =>
    patterns.some((pattern) => pattern.test(pathOf(url))) ? ofOpenAi.map(({ name }) => name) : [];
}

function asOpenAiError({ code, message, headers }: ServiceError): ServiceError {
  const { error } = withOpenAiError(code === 'not_found' ? 404 : 405, { detail: message });
  return new ServiceError(code, message, { ...headers }, { error });
}

/** For the Allow header of a 405 (RFC 9110, section 15.5.6). */
function methodLookup(served: readonly Served[]): (url: string) => string[] {
  const known = served.map(({ path, method }) => ({ path, pattern: toPattern(path), method }));
  return (url) => {
    const path = pathOf(url);
    const matching = known.filter(({ pattern }) => pattern.test(path));
    // Literal segments win: /v1/recipes/compose is not an id.
    const [best] = matching.map((one) => one.path).toSorted(bySpecificity);
    const methods = new Set<string>(matching.filter((one) => one.path === best).map(({ method }) => method));
    if (methods.has('GET')) methods.add('HEAD');
    return [...methods].toSorted();
  };
}

const pathOf = (url: string) => url.split('?', 1)[0] ?? '';

/** Literal segments first, at the first difference. */
function bySpecificity(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')];
  const at = left.findIndex((segment, index) => segment !== right[index]);
  return Number(left[at]?.startsWith('{') ?? false) - Number(right[at]?.startsWith('{') ?? false);
}

/**
 * Finds requests that matched a parameter where another path has the URL's literal segment. The router falls back to
 * such a route for methods that the literal path lacks.
 */
function literalLookup(served: readonly Served[]): (route: string | undefined, url: string) => boolean {
  const paths = [...new Set(served.map(({ path }) => path))];
  const literal = new Map(
    paths.map((path): [string, RegExp[]] => {
      const pattern = toPattern(path);
      const others = paths.filter(
        (other) => other !== path && pattern.test(other) && bySpecificity(other, path) < 0,
      );
      return [path.replaceAll(/\{(\w+)\}/g, ':$1'), others.map((other) => toPattern(other))];
    }),
  );
  return (route = '', url) => {
    const patterns = literal.get(route);
    if (patterns === undefined || patterns.length === 0) return false;
    const path = pathOf(url);
    return patterns.some((pattern) => pattern.test(path));
  };
}

/** @param end the end of the path or the start of its rest */
const toPattern = (path: string, end = '$') =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}${end}`);
