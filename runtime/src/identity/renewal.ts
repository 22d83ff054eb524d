import { createDue } from '../due.ts';
import type { Certified } from './certificate.ts';
import { isRefusal, statusOf, type Task, type TaskSettings, tryLater } from './task.ts';

/** The control plane allows one renewal per hour (specification, section 4.10). */
const leastMs = 3_600_000;

/** Also requests a lost response again. */
export function createRenewal(settings: TaskSettings): Task & { soon: () => void } {
  const { identity, controlPlane, generation, log, now, random } = settings;
  const due = createDue(now, random);
  let planned: { certified: Certified; at: number } | undefined;

  /** At `renew_after` (two thirds of the certificate's life), plus up to a tenth of the rest. */
  function plannedAt(certified: Certified): number {
    if (planned?.certified !== certified) {
      const after = Date.parse(certified.renew_after);
      planned = { certified, at: after + ((Date.parse(certified.expires_at) - after) * random()) / 10 };
    }
    return planned.at;
  }

  async function ask(): Promise<void> {
    const body = { csr_pem: await identity.request(), wg_public_key: identity.publicKey(), generation };
    const { cert_serial, expires_at } = await identity.accept(
      await controlPlane('POST', '/cert/renew', { body }),
    );
    due.after(leastMs);
    log.info('renewed', { serial: cert_serial, expires_at });
  }

  return {
    inMs() {
      const certified = identity.current();
      const waitMs = certified && !identity.isPending() ? plannedAt(certified) - now() : 0;
      return Math.max(waitMs, due.inMs());
    },
    soon: due.soon,
    async run() {
      try {
        await ask();
      } catch (error) {
        if (isRefusal(error)) {
          log.warn('renew_refused', { status: statusOf(error) });
          return identity.refuse();
        }
        tryLater(log, 'renew_failed', due, error);
        // The request was malformed, so nothing was issued for its key.
        if (statusOf(error) === 400) identity.withdraw();
      }
    },
  };
}
