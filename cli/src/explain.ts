import {
  ApiError,
  ConnectionError,
  ControlPlaneError,
  InstanceFailedError,
  WaitTimeoutError,
} from '@agent-control-plane/sdk';
import { CliError, EXIT, FailureAt } from './errors.ts';

/** How a failure is told: its lines, and what the command ends with. */
export interface Explanation {
  readonly lines: readonly string[];
  readonly code: number;
}

/** Who was spoken to, and how. */
export interface Asked {
  readonly url: string;
  readonly credential: 'tenant' | 'operations';
}

export function explain(error: unknown, asked: Asked): Explanation {
  const { url } = asked;
  if (error instanceof FailureAt) return explainAt(error, asked);
  if (error instanceof CliError) return told(error.code, error.message, error.hint);
  if (error instanceof ApiError) return explainRefusal(error, asked);
  if (error instanceof ConnectionError) return explainSilence(error, url);
  if (error instanceof InstanceFailedError) {
    const again = `"agentctl instances retry ${error.instance_id}" tries again`;
    return told(EXIT.no, error.message, error.status === 'failed' ? again : undefined);
  }
  if (error instanceof WaitTimeoutError) {
    return told(
      EXIT.no,
      error.message,
      `it goes on: "agentctl instances events ${error.instance_id} --follow"`,
    );
  }
  if (error instanceof ControlPlaneError) return told(EXIT.unauthorized, error.message);
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return told(EXIT.fault, `A fault of agentctl: ${stack}`);
}

const told = (code: number, message: string, hint?: string): Explanation => ({
  code,
  lines: [`error: ${message}`, ...(hint === undefined ? [] : [`hint: ${hint}`])],
});

function explainAt({ where, cause }: FailureAt, asked: Asked): Explanation {
  const { lines, code } = explain(cause, asked);
  return { lines: lines.map((line, at) => (at === 0 ? line.replace(' ', () => ` ${where}: `) : line)), code };
}

/** Where the operations token comes from. */
export const OPERATIONS_HINT = 'set ACP_OPERATIONS_TOKEN to the OPERATIONS_TOKEN of the server';

function explainRefusal(
  { status, detail, faults, requestId, retryAfterMs }: ApiError,
  { url, credential }: Asked,
): Explanation {
  if (status === 401) {
    const signIn = `sign in anew with "agentctl login", or see which credential counts for ${url}`;
    return told(EXIT.unauthorized, detail, credential === 'operations' ? OPERATIONS_HINT : signIn);
  }
  // Refused to whoever asks, it names neither a role nor a scope (contract, section 3).
  if (status === 403) {
    const another = 'another key or user may: --profile, ACP_API_KEY';
    return told(EXIT.unauthorized, detail, /\b(?:role|scopes?|API key)\b/.test(detail) ? another : undefined);
  }
  if (status === 404) return told(EXIT.notFound, detail);
  if (status === 409 || status === 412) return told(EXIT.conflict, detail);
  if (status === 429) return told(EXIT.server, detail, waitHint(retryAfterMs));
  if (status >= 500) return told(EXIT.server, `${url} answered ${status}: ${detail}`, logHint(requestId));
  if (faults.length === 0) return told(EXIT.usage, detail);
  const lines = faults.map(({ loc, msg }) => `  ${loc.join('.')}: ${msg}`);
  return { code: EXIT.usage, lines: ['error: the request is not valid', ...lines] };
}

const waitHint = (ms: number | undefined) =>
  ms === undefined ? undefined : `try again in ${Math.ceil(ms / 1000)} seconds`;

const logHint = (id: string | undefined) =>
  id === undefined ? undefined : `the server's log has it under X-Request-Id ${id}`;

const NOBODY = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

/** The certificate is one that Node has no root for. */
const UNTRUSTED = [
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
];

function explainSilence({ message, cause }: ConnectionError, url: string): Explanation {
  const { code = '' } = ((cause ?? {}) as { cause?: { code?: string } }).cause ?? {};
  if (NOBODY.includes(code)) {
    const another = 'another address: --url, ACP_URL, --profile';
    return told(EXIT.server, `no server at ${url} (${code}): is it running?`, another);
  }
  if (UNTRUSTED.includes(code)) {
    const own = 'an authority of your own is named with NODE_EXTRA_CA_CERTS=<its certificate, PEM>';
    return told(EXIT.server, `the certificate of ${url} is not trusted (${code})`, own);
  }
  return told(EXIT.server, message, `that was ${url}: is it the control plane?`);
}
