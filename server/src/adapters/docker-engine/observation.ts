import type { Observed } from '../../runtimes/engine.port.ts';
import type { ContainerInspect } from './api.ts';
import { LABEL } from './names.ts';

/** As the daemon alone knows it: a container that runs is `starting` until it listens. */
export interface Observation extends Pick<Observed, 'generation' | 'spec_hash' | 'reason' | 'exit_code'> {
  phase: 'starting' | 'ending' | 'gone';
  /** It was made and never started, so it says nothing about the runtime. */
  isUnused: boolean;
  /** The container's address in its tenant's network; null: none. */
  ip: string | null;
  /** Changes with each start of the container. */
  run: string;
}

const ALIVE: ReadonlySet<string> = new Set(['running', 'paused', 'restarting', 'stopping']);
/** Exit codes above it stand for signals. */
const BY_SIGNAL = 128;
const LAST_SIGNAL = 64;

/** @param network the name of its tenant's network */
export function observe(
  { Id, State, Config, NetworkSettings }: ContainerInspect,
  network: string,
): Observation {
  const labels = Config.Labels ?? {};
  const ip = NetworkSettings?.Networks?.[network]?.IPAddress;
  const known = {
    generation: Number(labels[LABEL.generation] ?? 0) || 0,
    spec_hash: labels[LABEL.spec_hash] ?? '',
    isUnused: false,
    ip: ip ? ip : null,
    run: `${Id} ${State.StartedAt ?? ''}`,
  };
  const calm = { reason: null, exit_code: null };
  if (ALIVE.has(State.Status)) return { ...known, phase: 'starting', ...calm };
  if (State.Status === 'removing') return { ...known, phase: 'ending', ...calm };
  // Podman calls it configured or initialized.
  if (['created', 'configured', 'initialized'].includes(State.Status)) {
    return { ...known, phase: 'gone', isUnused: true, ...calm };
  }
  const reason = State.OOMKilled ? 'out_of_memory' : 'crashed';
  return { ...known, phase: 'gone', reason, exit_code: exitCodeOf(State.ExitCode) };
}

function exitCodeOf(code: number | undefined): number | null {
  if (code === undefined || code < 0) return null;
  return code > BY_SIGNAL && code <= BY_SIGNAL + LAST_SIGNAL ? null : code;
}
