import type { ServerNames } from '../platform/addresses.ts';
import type { Notifications } from '../platform/db/notifications.ts';
import type { Clock, Log } from '../platform/ports.ts';
import type { CertificateAuthority } from './certificate-authority.ts';
import { issueServerCertificate, SERVER_CERTIFICATE_MS } from './certificates.ts';
import type { CertifiedKey } from './x509.port.ts';

/** Checks for a due certificate and for changes whose notification was lost. */
const CHECK_EVERY_MS = 60_000;
/** The certificate is replaced at two thirds of its life. */
const RENEW_BEFORE_MS = SERVER_CERTIFICATE_MS / 3;

/** The mTLS listener's own certificate and the authorities of its clients; PEM. */
export interface ListenerCredentials extends CertifiedKey {
  ca_pem: string;
}

interface ListenerServices {
  authority: CertificateAuthority;
  notifications: Notifications;
  clock: Clock;
  log: Log;
}

/**
 * The mTLS listener's own certificate, issued by the service's authority. Each copy of the service keeps its own in
 * memory.
 */
export class ListenerCertificate {
  readonly #services: ListenerServices;
  readonly #names: ServerNames;
  #held: (ListenerCredentials & { not_after: Date }) | undefined;

  constructor(services: ListenerServices, names: ServerNames) {
    this.#services = services;
    this.#names = names;
  }

  /**
   * Calls `onChange` when the authority's keys change or the certificate nears its end. A failure is logged, and the
   * current certificate stays until a later check succeeds.
   * @returns the first credentials, and a function that stops the checks
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
    // Checks run one after the other, so that one begins after the last notification.
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

  /** Returns the same object as before when nothing changed. */
  async #current(): Promise<ListenerCredentials> {
    const { authority, clock } = this.#services;
    const now = clock();
    const ca_pem = await authority.trustBundle();
    const held = this.#held;
    // A new key of the authority is no reason for a new certificate: clients may not know that key yet.
    const isDue = !held || held.not_after.getTime() - now.getTime() <= RENEW_BEFORE_MS;
    if (isDue) this.#held = { ...(await issueServerCertificate(this.#services, this.#names, now)), ca_pem };
    else if (held.ca_pem !== ca_pem) this.#held = { ...held, ca_pem };
    return this.#held as ListenerCredentials;
  }
}
