import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls, createSecureContext, type SecureContext } from 'node:tls';
import { promisify } from 'node:util';
import { count, type Tally } from '../load/paced.ts';

/** The slowest curve in OpenSSL. A chain has 51 KB. */
const CURVE = 'sect571r1';
const ISSUERS = 91;
const AT_A_TIME = 3;
/** The listener limits handshakes per address, so the caller changes it. */
const OF_ONE_ADDRESS = 30;

const openssl = (...args: string[]) => promisify(execFile)('openssl', args);

/** A chain of unknown issuers. With TLS 1.2 the listener verifies it before the end of the handshake. */
export async function madeUpChain(scratch: string): Promise<SecureContext> {
  const directory = join(scratch, 'made-up-chain');
  await mkdir(directory, { recursive: true });
  const keyOf = async (curve: string) => {
    const path = join(directory, `${curve}.key`);
    await openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', `ec_paramgen_curve:${curve}`, '-out', path);
    return path;
  };
  const [issuing, own] = [await keyOf(CURVE), await keyOf('P-256')];
  const pathOf = (nth: number) => join(directory, `${nth}.pem`);
  const chain: string[] = [];
  for (let nth = ISSUERS; nth >= 0; nth--) {
    const signing = nth === ISSUERS ? [] : ['-CA', pathOf(nth + 1), '-CAkey', issuing];
    const subject = ['-key', nth === 0 ? own : issuing, '-subj', `/CN=${nth}`];
    await openssl('req', '-x509', '-new', ...subject, ...signing, '-out', pathOf(nth));
    chain.unshift(await readFile(pathOf(nth), 'utf8'));
  }
  return createSecureContext({
    cert: chain.join(''),
    key: await readFile(own, 'utf8'),
    maxVersion: 'TLSv1.2',
  });
}

let addresses = 0;

export async function largeHandshakes(
  mtls_url: string,
  secureContext: SecureContext,
  stop: AbortSignal,
): Promise<Tally> {
  const tally: Tally = {};
  let started = 0;
  let localAddress = '';
  const caller = async () => {
    while (!stop.aborted) {
      if (started++ % OF_ONE_ADDRESS === 0)
        localAddress = `127.77.${addresses >> 7}.${1 + (addresses++ & 127)}`;
      count(tally, await handshake(mtls_url, secureContext, localAddress));
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, caller));
  return tally;
}

function handshake(
  mtls_url: string,
  secureContext: SecureContext,
  localAddress: string,
): Promise<'verified' | 'refused'> {
  const { hostname: host, port } = new URL(mtls_url);
  const connection = connect({ host, port: Number(port), localAddress });
  const socket = connectTls({ socket: connection, secureContext, rejectUnauthorized: false });
  return new Promise<'verified' | 'refused'>((resolve) => {
    const refuse = () => resolve('refused');
    connection.on('error', refuse);
    socket.on('error', refuse).on('close', refuse);
    socket.on('secureConnect', () => resolve('verified'));
  }).finally(() => socket.destroy());
}
