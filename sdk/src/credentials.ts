import { ControlPlaneError } from './errors.ts';
import type { CredentialName, OperationFacts } from './operation-facts.ts';

/** Credentials for the API. Each operation uses the first one that it accepts. */
export interface Credentials {
  /** An API key of a tenant. */
  readonly apiKey?: string | undefined;
  /** A user's access token, or a function that returns the current one (it expires after minutes). */
  readonly accessToken?: string | (() => string | Promise<string>) | undefined;
  /** An instance's proxy key, for that instance's internal routes. */
  readonly proxyKey?: string | undefined;
  /** The operator's token, for all internal routes. */
  readonly operationsToken?: string | undefined;
}

/** @returns the header with a credential for the operation. Throws when there is none, before anything is sent */
export async function credentialHeader(
  credentials: Credentials,
  operation: string,
  { credentials: names, optional }: OperationFacts,
): Promise<Record<string, string>> {
  if (names.length === 0) return {};
  const name = names.find((each) => credentials[each]);
  if (!name && optional) return {};
  if (!name) throw new ControlPlaneError(`${operation} needs ${words(names)}: give it to new ControlPlane`);
  const given = credentials[name];
  const value = `${typeof given === 'function' ? await given() : given}`.trim();
  // The error of fetch would quote the secret.
  if (!/^[\x21-\x7e]+$/.test(value)) throw new TypeError(`${name} has characters that a header cannot carry`);
  return name === 'apiKey' ? { 'x-api-key': value } : { authorization: `Bearer ${value}` };
}

const words = (names: readonly CredentialName[]) => names.join(' or ');
