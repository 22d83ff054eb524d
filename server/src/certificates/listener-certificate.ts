import type { ServerNames } from '../platform/addresses.ts';
import type { Notifications } from '../platform/db/notifications.ts';
import type { Clock, Log } from '../platform/ports.ts';
import type { CertificateAuthority } from './certificate-authority.ts';
import { issueServerCertificate, SERVER_CERTIFICATE_MS } from './certificates.ts';
import type { CertifiedKey } from './x509.port.ts';

/** In case a notification is lost. */
const CHECK_EVERY_MS = 60_000;
const RENEW_BEFORE_MS = SERVER_CERTIFICATE_MS / 3;

/** PEM. `ca_pem` verifies clients. */
export interface ListenerCredentials extends CertifiedKey {
  ca_pem: string;
}

interface ListenerServices {
  authority: CertificateAuthority;
  notifications: Notifications;
  clock: Clock;
  log: Log;
}

/** Each process keeps its own certificate, in memory only. */
export class ListenerCertificate {
  readonly #services: ListenerServices;
  readonly #names: ServerNames;
  #held: (ListenerCredentials & { not_after: Date }) | undefined;

  constructor(services: ListenerServices, names: ServerNames) {
    this.#services = services;
    this.#names = names;
  }

  /**
   * `onChange` follows changes of the authority's keys and renewals. After a logged failure, the current certificate
   * stays until a later check succeeds.
   */
  async follow(
    onChange: (credentials: ListenerCredentials) => void,
  ): Promise<{ credentials: ListenerCredentials; stop: () => void }> {
    const credentials = await this.#current();
    let latest = credentials;
    const check = async () => {
      try {
        const current = await this.#current();
        if (current !== latest) onChange(current);
        latest = current;
      } catch (error) {
        this.#services.log.error({ err: error }, 'the mTLS listener keeps the certificate that it has');
      }
    };
    // Checks run one after the other, so one begins after the last notification.
    let checking = Promise.resolve();
    const checkNext = () => {
      checking = checking.then(check);
    };
    const unsubscribe = this.#services.notifications.subscribe('ca_keys', checkNext);
    const timer = setInterval(checkNext, CHECK_EVERY_MS).unref();
    const stop = () => {
      unsubscribe();
      clearInterval(timer);
    };
    return { credentials, stop };
  }

  /** The same object as before when nothing changed. */
  async #current(): Promise<ListenerCredentials> {
    const { authority, clock } = this.#services;
    const now = clock();
    const ca_pem = await authority.trustBundle();
    const held = this.#held;
    // Not for a new key of the authority, which clients may not know yet.
    const isDue = !held || held.not_after.getTime() - now.getTime() <= RENEW_BEFORE_MS;
    if (isDue) this.#held = { ...(await issueServerCertificate(this.#services, this.#names, now)), ca_pem };
    else if (held.ca_pem !== ca_pem) this.#held = { ...held, ca_pem };
    return this.#held as ListenerCredentials;
  }
}
