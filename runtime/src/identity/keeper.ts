import type { ControlPlane } from '../control-plane.ts';
import { type Log, reasonOf } from '../log.ts';
import type { SecretStore } from '../secrets.ts';
import { createEnrollment } from './enrollment.ts';
import { createRenewal } from './renewal.ts';
import { createSecretsRefresh } from './secrets-refresh.ts';
import { statusOf, type Task, type TaskSettings } from './task.ts';

/** The wall clock is checked this often, because it may be set and the machine may sleep. */
const longestPauseMs = 60_000;
const shortestPauseMs = 50;
/** Node's error codes for an untrusted certificate. */
const distrust = /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|ERR_TLS_CERT_)/;
/** Failures in a row, which take at least half a minute with the pauses in between. */
const patience = 6;

export interface KeeperSettings extends TaskSettings {
  /** The one-time token of this start. */
  enrollmentToken: string | undefined;
  secrets: SecretStore;
  secretsRefreshMs: number;
  /** Called once, when only a start with a new environment helps. */
  onRestartNeeded: () => void;
}

export interface Keeper {
  /** Runs the tasks that are due, one after the other. Never rejects. */
  tick: () => Promise<void>;
  /** The time until the next task, at most a minute. */
  pauseMs: () => number;
  /** Refreshes the secrets, unless that was just done. */
  refreshSecrets: () => Promise<void>;
  /** To be called after a push of secrets, which replaces the next refresh. */
  secretsPushed: () => void;
  /** Why the last call failed; undefined after one that did not. */
  lastFailure: () => string | undefined;
}

/** Enrolls the runtime, renews its certificate in time and refreshes its secrets. */
export function createKeeper(settings: KeeperSettings): Keeper {
  const { identity, log, secretsRefreshMs } = settings;
  let hasGivenUp = false;
  function giveUp(reason: string): void {
    if (!hasGivenUp) log.error('restart_needed', { reason });
    if (!hasGivenUp) settings.onRestartNeeded();
    hasGivenUp = true;
  }
  let failure: string | undefined;
  const watched = watchFailure(settings.controlPlane, (reason) => (failure = reason));
  const controlPlane = watchTrust(watched, () => giveUp('trust'));
  const asking = { ...settings, controlPlane };
  const enrollment = createEnrollment({ ...asking, onTokenNeeded: () => giveUp('enrollment_token') });
  const renewal = createRenewal(asking);
  const refresh = createSecretsRefresh({ ...asking, everyMs: secretsRefreshMs, onDoubt: renewal.soon });

  /** The current tasks, by priority. */
  function tasks(): Task[] {
    if (hasGivenUp) return [];
    const status = identity.status();
    // With a token, an expired certificate is replaced by enrolling; without one, a renewal may still be accepted.
    const enrolls = status === 'enrolling' || (status === 'expired' && enrollment.hasToken());
    return enrolls ? [enrollment] : [renewal, refresh];
  }

  const next = () => tasks().find(({ inMs }) => inMs() === 0);

  async function open(): Promise<void> {
    await identity.open();
    const kept = identity.current();
    if (kept) log.info('identity_kept', { serial: kept.cert_serial, expires_at: kept.expires_at });
  }

  const noteOnce = noteExpiry(log);
  let opened: Promise<void> | undefined;
  async function doWhatIsDue(): Promise<void> {
    await (opened ??= open());
    noteOnce(identity.status() === 'expired');
    for (let task = next(); task; task = next()) await task.run();
  }

  let last = Promise.resolve();
  function tick(): Promise<void> {
    last = last.then(doWhatIsDue).catch((error: unknown) => {
      log.error('identity_failed', { error: reasonOf(error) });
    });
    return last;
  }

  return {
    tick,
    pauseMs() {
      const nextMs = Math.min(...tasks().map(({ inMs }) => inMs()));
      return Math.min(Math.max(nextMs, shortestPauseMs), longestPauseMs);
    },
    async refreshSecrets() {
      if (refresh.soonUnlessRecent()) await tick();
    },
    secretsPushed: refresh.pushed,
    lastFailure: () => failure,
  };
}

/** Tells after each call why it failed, or that it did not. */
function watchFailure(controlPlane: ControlPlane, tell: (reason: string | undefined) => void): ControlPlane {
  return async (...call) => {
    try {
      const answer = await controlPlane(...call);
      tell(undefined);
      return answer;
    } catch (error) {
      const status = statusOf(error);
      tell(status === undefined ? reasonOf(error) : `The control plane answered ${status}`);
      throw error;
    }
  };
}

/** Calls `onDistrust` when the control plane's certificate failed several times in a row: its CA may have changed. */
function watchTrust(controlPlane: ControlPlane, onDistrust: () => void): ControlPlane {
  let failures = 0;
  return async (...call) => {
    try {
      const answer = await controlPlane(...call);
      failures = 0;
      return answer;
    } catch (error) {
      failures = distrust.test(reasonOf(error)) ? failures + 1 : 0;
      if (failures >= patience) onDistrust();
      throw error;
    }
  };
}

function noteExpiry(log: Log): (isExpired: boolean) => void {
  let wasExpired = false;
  return (isExpired) => {
    if (isExpired && !wasExpired) log.error('certificate_expired');
    wasExpired = isExpired;
  };
}
