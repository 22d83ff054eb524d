import { type ControlPlane, ControlPlaneError } from './control-plane.ts';

/** After that, another runtime may have replaced this one (contract, section 20). */
const leaseMs = 10 * 60_000;
const replaced = 'runtime_replaced';

/** Only a runtime with a lease may answer. Each response of the control plane renews it. */
export interface Lease {
  isHeld: () => boolean;
  /** Its responses renew the lease. */
  watch: (controlPlane: ControlPlane) => ControlPlane;
}

/**
 * @param now milliseconds since 1970, because that clock also runs while the machine is suspended
 * @param onReplaced called once, when the control plane has a newer runtime
 */
export function createLease(now: () => number, onReplaced: () => void): Lease {
  let reachedAt = now();
  let isReplaced = false;

  function checkReplaced(error: unknown): void {
    if (!(error instanceof ControlPlaneError) || error.detail !== replaced || isReplaced) return;
    isReplaced = true;
    onReplaced();
  }

  return {
    isHeld: () => !isReplaced && now() - reachedAt <= leaseMs,
    watch: (controlPlane) => async (method, path, options) => {
      try {
        const answer = await controlPlane(method, path, options);
        reachedAt = now();
        return answer;
      } catch (error) {
        checkReplaced(error);
        throw error;
      }
    },
  };
}
