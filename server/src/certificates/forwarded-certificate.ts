import { X509Certificate } from 'node:crypto';

/** `key=value`, the value in double quotes where it holds a separator, a quote inside after a backslash. */
const PAIR = /\s*(\w+)=(?:"((?:[^"\\]|\\.)*)"\s*|([^",;]*))([,;]|$)/y;
const ONE_PEM = /^\s*-----BEGIN CERTIFICATE-----[\w+/=\s]+-----END CERTIFICATE-----\s*$/;

/**
 * The certificate of an X-Forwarded-Client-Cert header; undefined when there is none that can be read. Two forms:
 * the bare URL-encoded PEM of nginx ($ssl_client_escaped_cert), and Envoy's elements, one of each proxy on the way,
 * `By=…;Hash=…;Cert="<URL-encoded PEM>";URI=…`, of which Cert alone counts.
 *
 * The last element counts: the proxy that talks to us wrote it, about its own client. Those before it are what that
 * client sent, who may have made them up. A quote that was left open there could swallow what follows, and a name in a
 * certificate could look like one more Cert: a header with two of them, or that is not well-formed, is none.
 */
export function certificateOf(header: string): X509Certificate | undefined {
  const encoded = header.trimStart().startsWith('-----BEGIN') ? header : certOf(header);
  try {
    const pem = decodeURIComponent(encoded ?? '');
    return ONE_PEM.test(pem) ? new X509Certificate(pem) : undefined;
  } catch {
    return undefined;
  }
}

/** The value of the header's only Cert, which has to be in its last element. */
function certOf(header: string): string | undefined {
  const pairs = new RegExp(PAIR);
  const certs: string[] = [];
  let element = 0;
  let elementOfCert = 0;
  while (pairs.lastIndex < header.length) {
    const match = pairs.exec(header);
    if (!match) return undefined;
    const [, key, quoted, plain, separator] = match;
    if (key?.toLowerCase() === 'cert') {
      certs.push(quoted ?? plain?.trimEnd() ?? '');
      elementOfCert = element;
    }
    if (separator === ',') element++;
  }
  return certs.length === 1 && elementOfCert === element ? certs[0] : undefined;
}
