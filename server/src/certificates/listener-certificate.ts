import type { ServerNames } from '../platform/addresses.ts';
import type { Services } from '../services.ts';
import { issueServerCertificate, SERVER_CERTIFICATE_MS } from './certificates.ts';
import type { CertifiedKey } from './x509.port.ts';

/** How often to look by itself: whether another certificate is due, and whether a notification got lost. */
const LOOK_EVERY_MS = 60_000;
/** It is replaced at two thirds of its life. */
const RENEW_BEFORE_MS = SERVER_CERTIFICATE_MS / 3;

/** What the mTLS listener shows, and whose certificates it asks for; PEM. */
export interface ListenerCredentials extends CertifiedKey {
  ca_pem: string;
}

type Using = Pick<Services, 'authority' | 'clock' | 'log' | 'notifications' | 'settings'>;

/** The mTLS listener's own certificate, of the service's authority: never in the database, each copy has one. */
export class ListenerCertificate {
  readonly #services: Using;
  readonly #names: ServerNames;
  #held: (ListenerCredentials & { not_after: Date }) | undefined;

  constructor(services: Using, names: ServerNames) {
    this.#services = services;
    this.#names = names;
  }

  /**
   * What to begin with; then `onChange` is told what to go on with, when the keys of the authority change or the
   * certificate nears its end. A failure is logged, and what is there goes on until it works again.
   * @returns also how to end that
   */
  async follow(
    onChange: (credentials: ListenerCredentials) => void,
  ): Promise<{ credentials: ListenerCredentials; stop: () => void }> {
    const credentials = await this.#look();
    let told = credentials;
    const look = async () => {
      try {
        const seen = await this.#look();
        if (seen !== told) onChange(seen);
        told = seen;
      } catch (error) {
        this.#services.log.error({ err: error }, 'the mTLS listener keeps the certificate that it has');
      }
    };
    // One after the other: what the last notification was about is seen by a look that began after it.
    let looking = Promise.resolve();
    const lookNext = () => {
      looking = looking.then(look);
    };
    const unsubscribe = this.#services.notifications.subscribe('ca_keys', lookNext);
    const timer = setInterval(lookNext, LOOK_EVERY_MS).unref();
    const stop = () => {
      unsubscribe();
      clearInterval(timer);
    };
    return { credentials, stop };
  }

  /** The same object as before when nothing changed. */
  async #look(): Promise<ListenerCredentials> {
    const now = this.#services.clock();
    const ca_pem = await this.#services.authority.trustBundle(now);
    const held = this.#held;
    // A new key of the authority is no reason for another certificate: clients may not have heard of it yet.
    const isDue = !held || held.not_after.getTime() - now.getTime() <= RENEW_BEFORE_MS;
    if (isDue) this.#held = { ...(await issueServerCertificate(this.#services, this.#names, now)), ca_pem };
    else if (held.ca_pem !== ca_pem) this.#held = { ...held, ca_pem };
    return this.#held as ListenerCredentials;
  }
}
