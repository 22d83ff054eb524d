import type { ControlPlane } from '../control-plane.ts';
import { type Log, reasonOf } from '../log.ts';
import type { SecretStore } from '../secrets.ts';
import { createEnrollment } from './enrollment.ts';
import { createRenewal } from './renewal.ts';
import { createSecretsRefresh } from './secrets-refresh.ts';
import type { Task, TaskSettings } from './task.ts';

/** The wall clock is looked at this often, since it may be set and the machine may sleep. */
const longestPauseMs = 60_000;
const shortestPauseMs = 50;
/** What Node.js calls a certificate that does not hold. */
const distrust = /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|ERR_TLS_CERT_)/;
/** Half a minute or more, with the pauses between. */
const patience = 6;

export interface KeeperSettings extends TaskSettings {
  /** One-time, of the start. */
  enrollmentToken: string | undefined;
  secrets: SecretStore;
  secretsRefreshMs: number;
  /** Only a start with a new environment helps. Called once. */
  onRestartNeeded: () => void;
}

export interface Keeper {
  /** Does what is due, one call after the other. Never rejects. */
  tick: () => Promise<void>;
  /** How long nothing will be due, at most a minute. */
  pauseMs: () => number;
  /** What is known does not serve: asks for secrets, unless that was done just now. */
  refreshSecrets: () => Promise<void>;
  /** Secrets were pushed: they need not be asked for soon. */
  secretsPushed: () => void;
}

/** Sees to it that the runtime is enrolled, renews its certificate in time, and keeps its secrets fresh. */
export function createKeeper(settings: KeeperSettings): Keeper {
  const { identity, log, secretsRefreshMs } = settings;
  let hasGivenUp = false;
  function giveUp(reason: string): void {
    if (!hasGivenUp) log.error('restart_needed', { reason });
    if (!hasGivenUp) settings.onRestartNeeded();
    hasGivenUp = true;
  }
  const controlPlane = watchTrust(settings.controlPlane, () => giveUp('trust'));
  const asking = { ...settings, controlPlane };
  const enrollment = createEnrollment({ ...asking, onTokenNeeded: () => giveUp('enrollment_token') });
  const renewal = createRenewal(asking);
  const refresh = createSecretsRefresh({ ...asking, everyMs: secretsRefreshMs, onDoubt: renewal.soon });

  /** What counts now, the first thing first. */
  function tasks(): Task[] {
    if (hasGivenUp) return [];
    const status = identity.status();
    // With a token in hand nobody needs to be asked whether an expired certificate is still taken.
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
  };
}

/** Tells when the control plane's own certificate failed several times in a row: its authority may have changed. */
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
