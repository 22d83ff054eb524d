import type { Fault } from './errors.ts';

/** As in OpenAI's API. */
export interface OpenAiError {
  message: string;
  type: string;
  param: string | null;
  code: string | null;
}

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
};

export const openAiErrorType = (status: number): string =>
  TYPES[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');

/** Adds OpenAI's `error` besides `detail`, unless the body has one. */
export function withOpenAiError<T extends { detail: string | readonly Fault[] }>(
  status: number,
  body: T,
): T & { error: unknown } {
  const { detail } = body;
  const message = typeof detail === 'string' ? detail : detail.map(faultText).join('; ');
  const error: OpenAiError = { message, type: openAiErrorType(status), param: null, code: null };
  return { ...body, error: 'error' in body ? body.error : error };
}

const faultText = ({ loc, msg }: Fault) => `${loc.join('.')}: ${msg}`;
