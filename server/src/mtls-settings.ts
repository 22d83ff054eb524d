import { isLoopbackOrAny, type ServerNames, toServerNames } from './platform/addresses.ts';
import { ConfigError, readBaseUrl, readPort } from './platform/setting-values.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The listener for runtimes (contract, sections 8 and 19). */
export interface MtlsSettings {
  host: string;
  /** 0: any free port. */
  port: number;
  names: ServerNames;
  /** The address for runtimes; undefined: the listening address. */
  public_url: string | undefined;
  /** True for a `public_url` that other machines and containers can use. */
  is_public: boolean;
}

/** @param beside the other listener, and the engine of the cluster `default` */
export function readMtlsSettings(
  env: Environment,
  beside: { host: string; port: number; provisioner: string },
): MtlsSettings {
  const port = readPort('MTLS_PORT', env.MTLS_PORT, 8443);
  if (port !== 0 && port === beside.port) throw new ConfigError('MTLS_PORT has to be another one than PORT');
  const host = env.MTLS_HOST || beside.host;
  const public_url = readPublicUrl(env.MTLS_PUBLIC_URL);
  const is_public = public_url !== undefined && !isLoopbackOrAny(new URL(public_url).hostname);
  if (beside.provisioner !== 'process' && !is_public)
    throw new ConfigError(
      `MTLS_PUBLIC_URL is required with PROVISIONER=${beside.provisioner}: an https URL, and no loopback address`,
    );
  const names = toServerNames(env.MTLS_HOSTNAMES || '', host, public_url);
  if (!names) throw new ConfigError('MTLS_HOSTNAMES has to be a comma list of DNS names and IP addresses');
  return { host, port, names, public_url, is_public };
}

function readPublicUrl(text: string | undefined): string | undefined {
  if (!text) return undefined;
  const url = readBaseUrl('MTLS_PUBLIC_URL', text);
  if (url.startsWith('http:')) throw new ConfigError('MTLS_PUBLIC_URL has to be an https URL');
  return url;
}
