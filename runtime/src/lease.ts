import { type ControlPlane, ControlPlaneError } from './control-plane.ts';

/** Longer without the control plane, another runtime may have taken this one's place (contract, section 20). */
const leaseMs = 10 * 60_000;
/** The control plane's word for it. */
const replaced = 'runtime_replaced';

/** The time for which this runtime may answer, which each answer of the control plane renews. */
export interface Lease {
  isHeld: () => boolean;
  /** A control plane whose answers renew the lease. */
  watch: (controlPlane: ControlPlane) => ControlPlane;
}

/**
 * @param now milliseconds since 1970: the clock that goes on while the machine is suspended
 * @param onReplaced called once, when a newer runtime has this one's place for good
 */
export function createLease(now: () => number, onReplaced: () => void): Lease {
  let reachedAt = now();
  let isReplaced = false;

  function learn(error: unknown): void {
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
        learn(error);
        throw error;
      }
    },
  };
}
