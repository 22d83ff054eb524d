import type { MissingConnection } from '../connections/missing-connections.ts';
import { ConnectionsMissing } from '../instances/upgrades.ts';
import { ServiceError, ValidationError } from '../platform/errors.ts';

const MAX_LENGTH = 500;

/** Why an upgrade does not begin. Rethrows what is no refusal, such as a database that is away. */
export function refusalOf(error: unknown): string {
  if (error instanceof ConnectionsMissing) return missingWords(error.missing_connections);
  if (error instanceof ServiceError && (error.code === 'conflict' || error.code === 'not_found'))
    return error.message;
  if (error instanceof ValidationError)
    return error.faults
      .map(({ msg }) => msg)
      .join('; ')
      .slice(0, MAX_LENGTH);
  throw error;
}

export const missingWords = (connections: readonly MissingConnection[]): string => {
  const names = connections.map(({ provider, name }) => (name === null ? provider : `${provider} (${name})`));
  return `Connections are missing: ${names.join(', ')}`.slice(0, MAX_LENGTH);
};

/** Upgrades of failed instances are for people, who look first. */
export const FAILED = 'An instance that is failed is left out';
