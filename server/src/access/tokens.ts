import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import { importPKCS8 } from 'jose/key/import';
import { deriveKey, equalsInConstantTime, hmac, type Key } from '../secrets/sealing.ts';

const ISSUER = 'agent-control-plane';
export const ACCESS_TOKEN_SECONDS = 15 * 60;

/** Contract, section 3. The role is informative: each request looks up the current one. */
interface AccessClaims {
  sub: string;
  tenant_id: string;
  role: string;
  session_id: string;
}

interface RefreshToken {
  session_id: string;
  generation: number;
}

/**
 * Access tokens are JWTs with EdDSA. Refresh tokens are MACs of session and generation, so a successor can be issued
 * twice without being stored. All copies of the service share the keys.
 */
export class Tokens {
  readonly #privateKey: Awaited<ReturnType<typeof importPKCS8>>;
  readonly #publicKey: KeyObject;
  readonly #kid: string;
  readonly #refreshKey: Key;

  private constructor(
    privateKey: Awaited<ReturnType<typeof importPKCS8>>,
    publicKey: KeyObject,
    refreshKey: Key,
  ) {
    this.#privateKey = privateKey;
    this.#publicKey = publicKey;
    this.#refreshKey = refreshKey;
    const raw = publicKey.export({ format: 'der', type: 'spki' });
    this.#kid = hmac(Buffer.from('kid'), raw).toString('hex').slice(0, 16);
  }

  static async create(accessTokenKey: Key, refreshTokenKey: Key): Promise<Tokens> {
    const pem = ed25519Pem(deriveKey(accessTokenKey, 'ed25519 seed'));
    const publicKey = createPublicKey(createPrivateKey(pem));
    return new Tokens(await importPKCS8(pem, 'EdDSA'), publicKey, refreshTokenKey);
  }

  signAccess(claims: AccessClaims, now: Date): Promise<string> {
    const issuedAt = Math.floor(now.getTime() / 1000);
    const { sub, ...rest } = claims;
    return new SignJWT(rest)
      .setProtectedHeader({ alg: 'EdDSA', kid: this.#kid, typ: 'JWT' })
      .setIssuer(ISSUER)
      .setSubject(sub)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + ACCESS_TOKEN_SECONDS)
      .sign(this.#privateKey);
  }

  /** undefined for another issuer, a wrong signature or an expired token. */
  async verifyAccess(token: string, now: Date): Promise<AccessClaims | undefined> {
    try {
      const { payload } = await jwtVerify<AccessClaims>(token, this.#publicKey, {
        algorithms: ['EdDSA'],
        issuer: ISSUER,
        currentDate: now,
        requiredClaims: ['sub', 'tenant_id', 'role', 'session_id', 'exp'],
      });
      return payload;
    } catch {
      return undefined;
    }
  }

  signRefresh({ session_id, generation }: RefreshToken): string {
    const body = `${session_id}.${generation}`;
    return `art_${body}.${hmac(this.#refreshKey, body).toString('base64url')}`;
  }

  verifyRefresh(token: string): RefreshToken | undefined {
    const [, session_id, generation] = /^art_([0-9a-f-]{36})\.(\d{1,9})\.[\w-]{43}$/.exec(token) ?? [];
    if (!session_id || !generation) return undefined;
    const read = { session_id, generation: Number(generation) };
    return equalsInConstantTime(this.signRefresh(read), token) ? read : undefined;
  }
}

/** An Ed25519 private key from its 32-byte seed (RFC 8410, section 7). */
function ed25519Pem(seed: Buffer): string {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  return `-----BEGIN PRIVATE KEY-----\n${der.toString('base64')}\n-----END PRIVATE KEY-----\n`;
}
