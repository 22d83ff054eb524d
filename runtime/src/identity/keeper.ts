import type { ControlPlane } from '../control-plane.ts';
import { type Log, reasonOf } from '../log.ts';
import type { SecretStore } from '../secrets.ts';
import { createEnrollment } from './enrollment.ts';
import { createRenewal } from './renewal.ts';
import { createSecretsRefresh } from './secrets-refresh.ts';
import { statusOf, type Task, type TaskSettings } from './task.ts';

/** Check the wall clock this often, because it may be set, and the machine may sleep. */
const longestPauseMs = 60_000;
const shortestPauseMs = 50;
/** Node's error codes for an untrusted certificate. */
const distrust = /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|ERR_TLS_CERT_)/;
/** In a row. With the pauses in between, they take at least half a minute. */
const maxDistrusts = 6;

interface KeeperSettings extends TaskSettings {
  /** One-time. */
  enrollmentToken: string | undefined;
  secrets: SecretStore;
  secretsRefreshMs: number;
  /** Only a start with a new environment helps. Called once. */
  onRestartNeeded: () => void;
}

export interface Keeper {
  /** Runs due tasks, one at a time. Never rejects. */
  tick: () => Promise<void>;
  /** Until the next task, at most a minute. */
  pauseMs: () => number;
  /** Does nothing right after a refresh. */
  refreshSecrets: () => Promise<void>;
  /** Call it after a push of secrets, which replaces the next refresh. */
  secretsPushed: () => void;
  /** The reason, if the last call failed. */
  lastFailure: () => string | undefined;
}

/** Enrolls the runtime, renews its certificate and refreshes its secrets when they are due. */
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
  const shared = { ...settings, controlPlane };
  const enrollment = createEnrollment({ ...shared, onTokenNeeded: () => giveUp('enrollment_token') });
  const renewal = createRenewal(shared);
  const refresh = createSecretsRefresh({ ...shared, everyMs: secretsRefreshMs, onDoubt: renewal.soon });

  /** By priority. */
  function tasks(): Task[] {
    if (hasGivenUp) return [];
    const status = identity.status();
    // With a token, enrolling replaces an expired certificate. Without one, a renewal may still be accepted.
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
  async function runDueTasks(): Promise<void> {
    await (opened ??= open());
    noteOnce(identity.status() === 'expired');
    for (let task = next(); task; task = next()) await task.run();
  }

  let last = Promise.resolve();
  function tick(): Promise<void> {
    last = last.then(runDueTasks).catch((error: unknown) => {
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

/** Reports after each call the reason of its failure; undefined: it succeeded. */
function watchFailure(
  controlPlane: ControlPlane,
  report: (reason: string | undefined) => void,
): ControlPlane {
  return async (...call) => {
    try {
      const answer = await controlPlane(...call);
      report(undefined);
      return answer;
    } catch (error) {
      const status = statusOf(error);
      report(status === undefined ? reasonOf(error) : `The control plane answered ${status}`);
      throw error;
    }
  };
}

/** Several TLS failures in a row: the control plane's CA may have changed. */
function watchTrust(controlPlane: ControlPlane, onDistrust: () => void): ControlPlane {
  let failures = 0;
  return async (...call) => {
    try {
      const answer = await controlPlane(...call);
      failures = 0;
      return answer;
    } catch (error) {
      failures = distrust.test(reasonOf(error)) ? failures + 1 : 0;
      if (failures >= maxDistrusts) onDistrust();
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
