import OpenAI from 'openai';
import { isCutOff } from './cut-off.ts';
import { isObject } from './json.ts';
import { errorName } from './log.ts';

export interface LlmFailure {
  /** For the people who run the agent. */
  cause: string;
  /** A budget is spent. */
  isBudget: boolean;
}

/** Models are reached through the control plane: it is stopping, or its database is away. */
export function isGatewayGone(error: unknown, isGateway: boolean): boolean {
  if (isCutOff(error)) return true;
  if (!isGateway || !(error instanceof OpenAI.APIError)) return false;
  if (error instanceof OpenAI.APIConnectionError) return !(error instanceof OpenAI.APIConnectionTimeoutError);
  // An answer about the model has an error in OpenAI's shape.
  return error.status === 503 && !isObject(error.error);
}

const code = /^[\w.-]{1,60}$/;

/** The provider's status where the gateway tells it, because the gateway's own says less. */
export function outcomeOf(error: unknown) {
  if (!(error instanceof OpenAI.APIError)) return { error: errorName(error) };
  const told = isObject(error.error) ? error.error : {};
  const status = typeof told['status'] === 'number' ? told['status'] : error.status;
  return {
    error: errorName(error),
    ...(status !== undefined && { status }),
    ...(typeof error.code === 'string' && code.test(error.code) && { code: error.code }),
  };
}

/** Only the gateway's error texts are free of keys. */
export function failureOf(error: unknown, isGateway: boolean): LlmFailure {
  if (error instanceof OpenAI.APIError && typeof error.status === 'number') {
    const cause = isGateway ? gatewaysCause(error) : `The model answered with ${error.status}`;
    return { cause, isBudget: error.code === 'insufficient_quota' };
  }
  const isLate = error instanceof OpenAI.APIConnectionTimeoutError || errorName(error) === 'TimeoutError';
  const isOther = error instanceof OpenAI.APIConnectionError || !(error instanceof TypeError);
  const cause = isOther ? 'The model could not be reached' : 'The model gave no answer that can be used';
  return { cause: isLate ? 'The model did not answer in time' : cause, isBudget: false };
}

/** The client's message begins with the gateway's status, which differs from the provider's for a refused key. */
function gatewaysCause({ message, error }: InstanceType<typeof OpenAI.APIError>): string {
  const { message: text, status } = isObject(error) ? error : {};
  if (typeof text !== 'string' || text === '') return message;
  return typeof status === 'number' ? `The model’s provider answered ${status}: ${text}` : text;
}
