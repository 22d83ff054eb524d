import { generateKeyPairSync } from 'node:crypto';
import { createCsr } from '../../src/identity/csr.ts';
import { at } from '../../src/json.ts';
import { type Authority, type ReadRequest, startAuthority } from './authority.ts';
import { type FakeReply, type FakeServer, type Seen, startFake } from './fake-server.ts';
import { instanceId, proxyKey, vpnIp } from './ids.ts';

const minuteMs = 60_000;
const lifeMs = 24 * 60 * minuteMs;

interface Issued {
  serial: string;
  cert_pem: string;
  key: string;
  issued_at: number;
  revoked: boolean;
  used: boolean;
  replaces: string | undefined;
}

/**
 * lose: the request is not handled. drop, hang, garbage, stranger: it is handled, but the response is cut off, never comes,
 * is not JSON, or has another certificate.
 */
export type Mishap = 'lose' | 'drop' | 'hang' | 'garbage' | 'stranger' | Exclude<FakeReply, string>;
export type Route = 'enroll' | 'cert/renew' | 'secrets/refresh' | 'customer-config';

const refused = (status: number, detail: string): FakeReply => ({ status, body: { detail } });

/** The control plane's routes over real TLS (contract, section 8). */
export class FakeMtls {
  status = 'running';
  proxyKey = proxyKey;
  secrets: object = { connections: {} };
  /** Called between handling and responding. */
  beforeAnswer: () => unknown = () => {};
  /** So many calls to other routes are refused. */
  refuseCalls = 0;
  /** The CA of responses. */
  trusted: string;
  readonly mishaps: [Route, Mishap][] = [];
  /** For routes that are not about identities. */
  readonly replies = new Map<string, FakeReply>();
  readonly certificates: Issued[] = [];
  readonly authority: Authority;
  readonly #now: () => number;
  readonly #tokens = new Map<string, string | undefined>();
  #wgPublicKey: unknown;
  #fake: FakeServer | undefined;

  private constructor(authority: Authority, now: () => number) {
    this.authority = authority;
    this.trusted = authority.ca_pem;
    this.#now = now;
  }

  static async start(now: () => number): Promise<FakeMtls> {
    const plane = new FakeMtls(await startAuthority(), now);
    const { server, ca_pem } = plane.authority;
    const tls = { ...server, ca: ca_pem, requestCert: true, rejectUnauthorized: false };
    plane.#fake = await startFake((seen) => plane.#answer(seen), tls);
    return plane;
  }

  get url(): string {
    return this.#fake?.url ?? '';
  }

  /** Paths in order, such as `enroll`. */
  get asked(): string[] {
    return this.seen.map(({ path }) => path.split(`${instanceId}/`)[1] ?? path);
  }

  get seen(): Seen[] {
    return this.#fake?.seen ?? [];
  }

  /** The valid certificate. */
  get current(): Issued | undefined {
    return this.certificates.find(({ revoked }) => !revoked);
  }

  newToken(): string {
    const token = `token-${this.#tokens.size}`;
    this.#tokens.set(token, undefined);
    return token;
  }

  async #answer(seen: Seen): Promise<FakeReply> {
    const route = seen.path.replace(`/internal/v1/instances/${instanceId}/`, '');
    const index = this.mishaps.findIndex(([of]) => of === route);
    const [, mishap] = (index < 0 ? undefined : this.mishaps.splice(index, 1)[0]) ?? [];
    if (mishap === 'lose') return 'drop';
    if (typeof mishap === 'object') return mishap;
    const reply = await this.#do(route, seen);
    await this.beforeAnswer();
    if (mishap === 'garbage') return { status: 200, body: '<html>' };
    if (mishap !== 'stranger') return mishap ?? reply;
    const { request } = await strangersRequest(this.authority);
    const stranger = await this.authority.issue(request, instanceId, new Date(), new Date());
    return { status: 200, body: { ...(at(reply, 'body') as object), cert_pem: stranger.cert_pem } };
  }

  async #do(route: string, seen: Seen): Promise<FakeReply> {
    if (seen.authorization !== `Bearer ${this.proxyKey}`) return refused(401, 'Not authenticated');
    const csr = await this.authority.read(at(seen.body, 'csr_pem'));
    if (route === 'enroll') return this.#enroll(seen, csr);
    if (route === 'cert/renew') return this.#renew(seen, csr);
    if (route === 'secrets/refresh') return this.#refresh(seen);
    if (this.refuseCalls-- > 0) return refused(401, 'Not authenticated');
    return this.replies.get(route) ?? { status: 200, body: {} };
  }

  async #enroll({ body }: Seen, csr: ReadRequest | undefined): Promise<FakeReply> {
    const token = String(at(body, 'enrollment_token'));
    if (!this.#tokens.has(token) || at(body, 'vpn_ip') !== vpnIp) return refused(401, 'Not this token');
    if (!csr) return refused(400, 'The CSR is not valid');
    const before = this.certificates.find(({ serial }) => serial === this.#tokens.get(token));
    if (before)
      return before.key === csr.key && isFree(before) ? this.#present(before) : refused(401, 'Spent');
    this.#wgPublicKey = at(body, 'wg_public_key');
    const issued = await this.#issue(csr, undefined);
    this.#tokens.set(token, issued.serial);
    return this.#present(issued);
  }

  async #renew({ body, client_serial }: Seen, csr: ReadRequest | undefined): Promise<FakeReply> {
    const now = this.#now();
    const lost = this.certificates.find(
      ({ replaces, key, issued_at, ...issued }) =>
        replaces === client_serial && key === csr?.key && isFree(issued) && now - issued_at < 15 * minuteMs,
    );
    if (lost && client_serial) return this.#present(lost);
    if (!this.#takes(client_serial, body)) return refused(401, 'Not this certificate');
    if (this.status !== 'running') return refused(409, 'Not running');
    const last = this.certificates.findLast(({ replaces }) => replaces !== undefined);
    const waitMs = last ? last.issued_at + 60 * minuteMs - now : 0;
    if (waitMs > 0) {
      return { ...refusedLater, headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) } };
    }
    if (!csr) return refused(400, 'The CSR is not valid');
    return this.#present(await this.#issue(csr, client_serial));
  }

  async #refresh({ body, client_serial }: Seen): Promise<FakeReply> {
    if (!this.#takes(client_serial, body) || at(body, 'vpn_ip') !== vpnIp) return refused(401, 'Not you');
    if (this.status !== 'running') return refused(409, 'Not running');
    return { status: 200, body: { agent_secrets: this.secrets } };
  }

  #takes(serial: string | undefined, body: unknown): boolean {
    const { current } = this;
    const isValid = current?.serial === serial && current !== undefined;
    if (!isValid || this.#now() - current.issued_at >= lifeMs) return false;
    current.used = true;
    return at(body, 'wg_public_key') === this.#wgPublicKey;
  }

  async #issue({ request, key }: ReadRequest, replaces: string | undefined): Promise<Issued> {
    const issued_at = this.#now();
    const [from, until] = [new Date(issued_at - 5 * minuteMs), new Date(issued_at + lifeMs)];
    const certificate = await this.authority.issue(request, instanceId, from, until);
    for (const one of this.certificates) one.revoked = true;
    const issued = { ...certificate, key, issued_at, revoked: false, used: false, replaces };
    this.certificates.push(issued);
    return issued;
  }

  #present({ serial, cert_pem, issued_at }: Issued): FakeReply {
    const body = {
      cert_pem,
      cert_serial: serial,
      ca_pem: this.trusted,
      not_before: iso(issued_at - 5 * minuteMs),
      expires_at: iso(issued_at + lifeMs),
      renew_after: iso(issued_at + (lifeMs * 2) / 3),
    };
    return { status: 200, body };
  }
}

const refusedLater = { status: 429, body: { detail: 'Once an hour' } };
const iso = (ms: number) => new Date(ms).toISOString();
const isFree = ({ revoked, used }: Pick<Issued, 'revoked' | 'used'>) => !revoked && !used;

/** A signing request with another key. */
async function strangersRequest(authority: Authority): Promise<ReadRequest> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const read = await authority.read(createCsr(privateKey));
  if (!read) throw new Error('The request cannot be read');
  return read;
}
