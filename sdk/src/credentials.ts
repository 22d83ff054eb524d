import { ControlPlaneError } from './errors.ts';
import type { CredentialName, OperationFacts } from './operation-facts.ts';

/** What opens the API; give those that you have. For each operation the first that opens it is sent. */
export interface Credentials {
  /** An API key of a tenant. */
  readonly apiKey?: string | undefined;
  /** A user's access token, or what gives the one of the moment (it lives for minutes). */
  readonly accessToken?: string | (() => string | Promise<string>) | undefined;
  /** An instance's proxy key, for its own internal routes. */
  readonly proxyKey?: string | undefined;
  /** The operator's token, for every internal route. */
  readonly operationsToken?: string | undefined;
}

/** @returns the header that opens the operation. Throws, before anything is sent, when there is no such credential */
export async function credentialHeader(
  credentials: Credentials,
  operation: string,
  { credentials: names }: OperationFacts,
): Promise<Record<string, string>> {
  if (names.length === 0) return {};
  const name = names.find((each) => credentials[each]);
  if (!name) throw new ControlPlaneError(`${operation} needs ${words(names)}: give it to new ControlPlane`);
  const given = credentials[name];
  const value = `${typeof given === 'function' ? await given() : given}`.trim();
  // Or fetch would say so, with the secret in its words.
  if (!/^[\x21-\x7e]+$/.test(value)) throw new TypeError(`${name} has characters that no header can carry`);
  return name === 'apiKey' ? { 'x-api-key': value } : { authorization: `Bearer ${value}` };
}

const words = (names: readonly CredentialName[]) => names.join(' or ');
