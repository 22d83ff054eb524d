import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Verdict {
  ok: boolean;
  output: string;
}

const KEYS = {
  'P-256': ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  'P-384': ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384'],
  'P-521': ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-521'],
  secp256k1: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:secp256k1'],
  Ed25519: ['-algorithm', 'ED25519'],
  Ed448: ['-algorithm', 'ED448'],
  'RSA-1024': ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024'],
  'RSA-2048': ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'],
  'RSA-2048 with exponent 3': [
    '-algorithm',
    'RSA',
    '-pkeyopt',
    'rsa_keygen_bits:2048',
    '-pkeyopt',
    'rsa_keygen_pubexp:3',
  ],
} as const;
export type KeyName = keyof typeof KEYS;

/** An independent check by the openssl command. */
export class OpenSsl {
  readonly directory: string;
  #files = 0;

  private constructor(directory: string) {
    this.directory = directory;
  }

  static async open(): Promise<OpenSsl> {
    return new OpenSsl(await mkdtemp(join(tmpdir(), 'acp-openssl-')));
  }

  close(): Promise<void> {
    return rm(this.directory, { recursive: true, force: true });
  }

  async file(text: string): Promise<string> {
    const path = join(this.directory, `file-${++this.#files}`);
    await writeFile(path, text);
    return path;
  }

  run(...args: string[]): Promise<Verdict> {
    return new Promise((resolve) => {
      const child = execFile(
        'openssl',
        args,
        { cwd: this.directory, maxBuffer: 2 ** 26 },
        (error, stdout, stderr) => resolve({ ok: error === null, output: stdout + stderr }),
      );
      child.stdin?.end();
    });
  }

  async text(...args: string[]): Promise<string> {
    const { ok, output } = await this.run(...args);
    if (!ok) throw new Error(`openssl ${args.join(' ')}: ${output.slice(0, 2000)}`);
    return output;
  }

  async key(name: KeyName): Promise<string> {
    const path = await this.file('');
    await this.text('genpkey', ...KEYS[name], '-out', path);
    return path;
  }

  async request(key: string, ...args: string[]): Promise<string> {
    const path = await this.file('');
    await this.text('req', '-new', '-key', key, '-subj', '/CN=whoever', '-out', path, ...args);
    return readFile(path, 'utf8');
  }

  /** `openssl verify`; with `crl` also that it is not revoked. */
  async verify(cert_pem: string, trust: { ca: string; crl?: string }, ...args: string[]): Promise<Verdict> {
    const lists = trust.crl === undefined ? [] : ['-crl_check_all', '-CRLfile', await this.file(trust.crl)];
    const ca = await this.file(trust.ca);
    return this.run('verify', '-x509_strict', '-CAfile', ca, ...lists, ...args, await this.file(cert_pem));
  }
}
