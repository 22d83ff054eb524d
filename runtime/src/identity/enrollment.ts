import { createDue } from '../due.ts';
import { isRefusal, statusOf, type Task, type TaskSettings, tryLater } from './task.ts';

interface EnrollmentSettings extends TaskSettings {
  /** One-time. */
  enrollmentToken: string | undefined;
  /** Neither a certificate nor a token is valid. */
  onTokenNeeded: () => void;
}

/** Contract, section 8. */
export function createEnrollment(settings: EnrollmentSettings): Task & { hasToken: () => boolean } {
  const { identity, controlPlane, vpnIp, generation, log, now, random, onTokenNeeded } = settings;
  const due = createDue(now, random);
  let token = settings.enrollmentToken;

  async function ask(enrollment_token: string): Promise<void> {
    const csr_pem = await identity.request();
    const body = {
      enrollment_token,
      csr_pem,
      wg_public_key: identity.publicKey(),
      vpn_ip: vpnIp,
      generation,
    };
    const { cert_serial, expires_at } = await identity.accept(
      await controlPlane('POST', '/enroll', { body }),
    );
    token = undefined;
    log.info('enrolled', { serial: cert_serial, expires_at });
  }

  return {
    inMs: due.inMs,
    hasToken: () => token !== undefined,
    async run() {
      if (token === undefined) return onTokenNeeded();
      try {
        await ask(token);
      } catch (error) {
        if (!isRefusal(error)) return tryLater(log, 'enroll_failed', due, error);
        // The token has expired or was used, perhaps by a request whose response was lost.
        log.warn('enroll_refused', { status: statusOf(error) });
        onTokenNeeded();
      }
    },
  };
}
