import { ApiError, ConnectionError, ControlPlane, type TokenPair } from '@agent-control-plane/sdk';
import type { Profile, ProfileStore, Profiles } from './profiles.ts';

type Fetch = typeof globalThis.fetch;

const TIMEOUT_MS = 8000;

/** A user's login from a profile, renewed with its refresh token. */
export class Session {
  readonly #store: ProfileStore;
  readonly #name: string;
  readonly #url: string;
  #token: string;

  constructor(store: ProfileStore, name: string, profile: Profile & { access_token: string }) {
    this.#store = store;
    this.#name = name;
    this.#url = profile.url;
    this.#token = profile.access_token;
  }

  get accessToken(): string {
    return this.#token;
  }

  /** Renews a refused access token and repeats the request. */
  readonly fetch: Fetch = async (address, init) => {
    const response = await fetch(address, init);
    const headers = new Headers(init?.headers);
    const refused = this.#token;
    if (response.status !== 401 || headers.get('authorization') !== `Bearer ${refused}`) return response;
    const token = await this.#renew(refused);
    if (token === undefined) return response;
    await response.body?.cancel();
    this.#token = token;
    headers.set('authorization', `Bearer ${token}`);
    return fetch(address, { ...init, headers });
  };

  /**
   * One process renews at a time, because using a refresh token twice ends the login. Others find the new token in
   * the profile. @returns undefined when the login has ended
   */
  #renew(refused: string): Promise<string | undefined> {
    return this.#store.change(async (known: Profiles) => {
      const profile = known.profiles[this.#name];
      if (!profile?.refresh_token || profile.url !== this.#url) return { result: undefined };
      if (profile.access_token !== refused) return { result: profile.access_token };
      const pair = await this.#trade(profile.refresh_token);
      if (!pair) return { result: undefined };
      const { access_token, refresh_token } = pair;
      const renewed = { ...profile, access_token, refresh_token };
      const profiles = { ...known, profiles: { ...known.profiles, [this.#name]: renewed } };
      return { profiles, result: access_token };
    });
  }

  async #trade(refresh_token: string): Promise<TokenPair | undefined> {
    const acp = new ControlPlane({ baseUrl: this.#url, timeoutMs: TIMEOUT_MS, retries: 0 });
    const trade = () => acp.authentication.refreshTokens({ refresh_token });
    try {
      // After a lost response, the server returns the same pair for 10 seconds.
      return await trade().catch((error: unknown) => {
        if (error instanceof ConnectionError) return trade();
        throw error;
      });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return undefined;
      throw error;
    }
  }
}
