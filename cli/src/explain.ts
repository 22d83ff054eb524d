import {
  ApiError,
  ConnectionError,
  ControlPlaneError,
  InstanceFailedError,
  WaitTimeoutError,
} from '@agent-control-plane/sdk';
import { CliError, EXIT } from './errors.ts';

/** How a failure is told: its lines, and what the command ends with. */
export interface Explanation {
  readonly lines: readonly string[];
  readonly code: number;
}

/** @param url the server that was spoken to */
export function explain(error: unknown, url: string): Explanation {
  if (error instanceof CliError) return told(error.code, error.message, error.hint);
  if (error instanceof ApiError) return explainRefusal(error, url);
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

function explainRefusal({ status, detail, faults, requestId, retryAfterMs }: ApiError, url: string) {
  if (status === 401) {
    return told(
      EXIT.unauthorized,
      detail,
      `sign in anew with "agentctl login", or see which credential counts for ${url}`,
    );
  }
  if (status === 403)
    return told(EXIT.unauthorized, detail, 'another key or user may: --profile, ACP_API_KEY');
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

function explainSilence({ message, cause }: ConnectionError, url: string): Explanation {
  const { cause: reason } = (cause ?? {}) as { cause?: { code?: string } };
  if (reason?.code === undefined || !NOBODY.includes(reason.code)) return told(EXIT.server, message);
  return told(
    EXIT.server,
    `no server at ${url} (${reason.code}): is it running?`,
    'another address: --url, ACP_URL, --profile',
  );
}
