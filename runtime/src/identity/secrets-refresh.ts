import { ControlPlaneError } from '../control-plane.ts';
import { createDue } from '../due.ts';
import { at } from '../json.ts';
import { parseSecrets, type SecretStore } from '../secrets.ts';
import { isRefusal, statusOf, type Task, type TaskSettings, tryLater } from './task.ts';

/** Several refused calls cause only one refresh. */
const leastMs = 10_000;

interface SecretsRefreshSettings extends TaskSettings {
  secrets: SecretStore;
  everyMs: number;
  /** The certificate was refused while a renewal's response is missing, so a newer one may exist. */
  onDoubt: () => void;
}

interface SecretsRefresh extends Task {
  soonUnlessRecent: () => boolean;
  /** Call it after a push of secrets. */
  pushed: () => void;
}

/** At the start, periodically, and when the proxy key was refused. */
export function createSecretsRefresh(settings: SecretsRefreshSettings): SecretsRefresh {
  const { identity, controlPlane, vpnIp, generation, secrets, everyMs, log, now, random, onDoubt } = settings;
  const due = createDue(now, random);
  let askedAt = Number.NEGATIVE_INFINITY;

  async function ask(): Promise<void> {
    const version = secrets.version();
    const body = { vpn_ip: vpnIp, wg_public_key: identity.publicKey(), generation };
    const answer = await controlPlane('POST', '/secrets/refresh', { body });
    const fresh = parseSecrets(at(answer, 'agent_secrets'));
    if (fresh === undefined) throw new ControlPlaneError(0);
    // Secrets pushed meanwhile are newer.
    if (secrets.version() === version) secrets.replace(fresh);
    due.after(everyMs);
    log.debug('secrets_refreshed');
  }

  return {
    inMs: due.inMs,
    soonUnlessRecent() {
      if (now() - askedAt < leastMs) return false;
      due.soon();
      return true;
    },
    pushed: () => due.after(everyMs),
    async run() {
      askedAt = now();
      const version = secrets.version();
      try {
        await ask();
      } catch (error) {
        if (isRefusal(error) && !identity.isPending()) {
          log.warn('refresh_refused', { status: statusOf(error) });
          return identity.refuse();
        }
        if (isRefusal(error)) onDoubt();
        if (secrets.version() === version) tryLater(log, 'refresh_failed', due, error);
      }
    },
  };
}
