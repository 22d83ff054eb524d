import { ControlPlaneError } from './control-plane.ts';
import { VerificationRefused, WorkerRejected, WorkerUnknown, WorkerUnverified } from './tools/worker.ts';

/** For strangers. They are not asked for a PIN. */
export const introduction =
  'I do that only for people I know: please ask whoever runs this agent to add the address that you write from.';

const apology = 'Sorry, something went wrong on our side. Please try again later.';
const notYet = 'That is not available yet.';
const maxDetail = 300;

/** For the sender. Only refusals of the request itself quote the control plane. */
export function explain(error: unknown): string {
  if (error instanceof WorkerUnknown) {
    return 'This address does not belong to a worker that I know. Whoever keeps the staff list can link it.';
  }
  if (error instanceof WorkerRejected) {
    return 'This address is not linked to a worker any more. Whoever keeps the staff list can link it again.';
  }
  if (error instanceof VerificationRefused) {
    return 'That did not verify this address. Please reply with the code that you were given, or "yes" where you were given none.';
  }
  if (error instanceof WorkerUnverified) {
    return 'This address is not verified yet. Reply "yes" to confirm that it is yours, or "verify <code>" with the code you were given; "no" if it is not yours.';
  }
  if (!(error instanceof ControlPlaneError)) return apology;
  if (error.isUnknownRoute) return notYet;
  if (error.isForKnownSenders) return introduction;
  switch (error.status) {
    case 400:
    case 409:
    case 422:
      return `That was not accepted${error.detail === '' ? '.' : `: ${error.detail.slice(0, maxDetail)}`}`;
    case 403:
      return 'You are not allowed to do that here.';
    case 404:
      return 'I could not find that.';
    case 429:
      return 'There are too many requests at the moment. Please try again in a minute.';
    case 501:
    case 503:
      return notYet;
    default:
      return apology;
  }
}
