import { ControlPlaneError } from './errors.ts';
import type { CredentialName, OperationFacts } from './operation-facts.ts';

/** Each operation uses the first credential that it accepts. */
export interface Credentials {
  readonly apiKey?: string | undefined;
  /** A token expires after minutes; a function returns the current one. */
  readonly accessToken?: string | (() => string | Promise<string>) | undefined;
  /** For internal routes of one instance. */
  readonly proxyKey?: string | undefined;
  /** For all internal routes. */
  readonly operationsToken?: string | undefined;
}

/** Throws before anything is sent when the operation needs a credential that is not there. */
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
  // Fetch would quote the secret in its error.
  if (!/^[\x21-\x7e]+$/.test(value)) throw new TypeError(`${name} has characters that a header cannot carry`);
  return name === 'apiKey' ? { 'x-api-key': value } : { authorization: `Bearer ${value}` };
}

const words = (names: readonly CredentialName[]) => names.join(' or ');
