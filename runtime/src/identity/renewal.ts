import { createDue } from '../due.ts';
import type { Certified } from './certificate.ts';
import { isRefusal, statusOf, type Task, type TaskSettings, tryLater } from './task.ts';

/** More often than once an hour is refused (specification, section 4.10), however the clocks stand. */
const leastMs = 3_600_000;

/** The next certificate, in time before the current one ends. An answer that got lost is asked for again. */
export function createRenewal(settings: TaskSettings): Task & { soon: () => void } {
  const { identity, controlPlane, log, now, random } = settings;
  const due = createDue(now, random);
  let planned: { certified: Certified; at: number } | undefined;

  /** When two thirds of its life are over, and up to a tenth of the rest later. */
  function plannedAt(certified: Certified): number {
    if (planned?.certified !== certified) {
      const after = Date.parse(certified.renew_after);
      planned = { certified, at: after + ((Date.parse(certified.expires_at) - after) * random()) / 10 };
    }
    return planned.at;
  }

  async function ask(): Promise<void> {
    const body = { csr_pem: await identity.request(), wg_public_key: identity.publicKey() };
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
        // The request itself is no good, so nothing was issued for its key.
        if (statusOf(error) === 400) identity.withdraw();
      }
    },
  };
}
