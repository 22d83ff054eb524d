import {
  ApiError,
  ConnectionError,
  ControlPlaneError,
  InstanceFailedError,
  WaitTimeoutError,
} from '@agent-control-plane/sdk';
import { CliError, EXIT, FailureAt } from './errors.ts';

interface Explanation {
  readonly lines: readonly string[];
  readonly code: number;
}

export interface Target {
  readonly url: string;
  readonly credential: 'tenant' | 'operations';
}

export function explain(error: unknown, target: Target): Explanation {
  const { url } = target;
  if (error instanceof FailureAt) return explainAt(error, target);
  if (error instanceof CliError) return explanation(error.code, error.message, error.hint);
  if (error instanceof ApiError) return explainRefusal(error, target);
  if (error instanceof ConnectionError) return explainNoResponse(error, url);
  if (error instanceof InstanceFailedError) {
    const again = `"agentctl instances retry ${error.instance_id}" tries again`;
    return explanation(EXIT.no, error.message, error.status === 'failed' ? again : undefined);
  }
  if (error instanceof WaitTimeoutError) {
    return explanation(
      EXIT.no,
      error.message,
      `the task continues; follow it with "agentctl instances events ${error.instance_id} --follow"`,
    );
  }
  if (error instanceof ControlPlaneError) return explanation(EXIT.unauthorized, error.message);
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return explanation(EXIT.fault, `a bug in agentctl: ${stack}`);
}

const explanation = (code: number, message: string, hint?: string): Explanation => ({
  code,
  lines: [`error: ${message}`, ...(hint === undefined ? [] : [`hint: ${hint}`])],
});

function explainAt({ where, cause }: FailureAt, target: Target): Explanation {
  const { lines, code } = explain(cause, target);
  return { lines: lines.map((line, at) => (at === 0 ? line.replace(' ', () => ` ${where}: `) : line)), code };
}

export const OPERATIONS_HINT = 'set ACP_OPERATIONS_TOKEN to the OPERATIONS_TOKEN of the server';

function explainRefusal(
  { status, detail, faults, requestId, retryAfterMs }: ApiError,
  { url, credential }: Target,
): Explanation {
  if (status === 401) {
    const signIn = `sign in again with "agentctl login", or check which credential is used for ${url}`;
    if (credential === 'tenant') return explanation(EXIT.unauthorized, detail, signIn);
    // One was sent: without any, no request is made.
    return explanation(EXIT.unauthorized, `${url} refused the operations token: ${detail}`, OPERATIONS_HINT);
  }
  // A refusal of every caller names neither a role nor a scope (contract, section 3).
  if (status === 403) {
    const another = 'use another key or user: --profile, ACP_API_KEY';
    return explanation(
      EXIT.unauthorized,
      detail,
      /\b(?:role|scopes?|API key)\b/.test(detail) ? another : undefined,
    );
  }
  if (status === 404) return explanation(EXIT.notFound, detail);
  if (status === 409 || status === 412) return explanation(EXIT.conflict, detail);
  if (status === 429) return explanation(EXIT.server, detail, waitHint(retryAfterMs));
  if (status >= 500)
    return explanation(EXIT.server, `${url} answered ${status}: ${detail}`, logHint(requestId));
  if (faults.length === 0) return explanation(EXIT.usage, detail);
  const lines = faults.map(({ loc, msg }) => `  ${loc.join('.')}: ${msg}`);
  return { code: EXIT.usage, lines: ['error: the request is not valid', ...lines] };
}

const waitHint = (ms: number | undefined) =>
  ms === undefined ? undefined : `try again in ${Math.ceil(ms / 1000)} seconds`;

const logHint = (id: string | undefined) =>
  id === undefined ? undefined : `look for X-Request-Id ${id} in the server's log`;

const UNREACHABLE = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

/** Error codes for a certificate without a trusted root. */
const UNTRUSTED = [
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
];

function explainNoResponse({ message, cause }: ConnectionError, url: string): Explanation {
  const { code = '' } = ((cause ?? {}) as { cause?: { code?: string } }).cause ?? {};
  if (UNREACHABLE.includes(code)) {
    const another = 'set another address with --url, ACP_URL or --profile';
    return explanation(EXIT.server, `no server at ${url} (${code}): is it running?`, another);
  }
  if (UNTRUSTED.includes(code)) {
    const own = 'for your own CA, set NODE_EXTRA_CA_CERTS=<its certificate, PEM>';
    return explanation(EXIT.server, `the certificate of ${url} is not trusted (${code})`, own);
  }
  return explanation(EXIT.server, message, `is ${url} the control plane?`);
}
