import { createDue } from '../due.ts';
import { isRefusal, statusOf, type Task, type TaskSettings, tryLater } from './task.ts';

export interface EnrollmentSettings extends TaskSettings {
  /** One-time, of the start. */
  enrollmentToken: string | undefined;
  /** Neither the certificate nor the token counts any more. */
  onTokenNeeded: () => void;
}

/** The first certificate, for the token (contract, section 8). */
export function createEnrollment(settings: EnrollmentSettings): Task & { hasToken: () => boolean } {
  const { identity, controlPlane, vpnIp, log, now, random, onTokenNeeded } = settings;
  const due = createDue(now, random);
  let token = settings.enrollmentToken;

  async function ask(enrollment_token: string): Promise<void> {
    const csr_pem = await identity.request();
    const body = { enrollment_token, csr_pem, wg_public_key: identity.publicKey(), vpn_ip: vpnIp };
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
        // Spent, perhaps by a try whose answer got lost, or too old.
        log.warn('enroll_refused', { status: statusOf(error) });
        onTokenNeeded();
      }
    },
  };
}
