import { ControlPlaneError } from './control-plane.ts';
import type { Language } from './language.ts';
import { VerificationRefused, WorkerRejected, WorkerUnknown, WorkerUnverified } from './tools/worker.ts';

const maxDetail = 300;

/** For the sender. Only refusals of the request itself quote the control plane. */
export function explain(error: unknown, { say }: Language): string {
  if (error instanceof WorkerUnknown) return say('worker_unknown');
  if (error instanceof WorkerRejected) return say('worker_rejected');
  if (error instanceof VerificationRefused) return say('verification_refused');
  if (error instanceof WorkerUnverified) return say('worker_unverified');
  if (!(error instanceof ControlPlaneError)) return say('apology');
  if (error.isUnknownRoute) return say('not_yet');
  // Strangers are not asked for a PIN.
  if (error.isForKnownSenders) return say('introduction');
  const detail = error.detail.slice(0, maxDetail);
  switch (error.status) {
    case 400:
    case 409:
    case 422:
      return detail === '' ? say('not_accepted') : say('not_accepted_because', { detail });
    case 403:
      return say('not_allowed');
    case 404:
      return say('not_found');
    case 429:
      return say('too_many_requests');
    case 501:
    case 503:
      return say('not_yet');
    default:
      return say('apology');
  }
}
