import type { Server } from 'node:http';
import { createDeliver } from './answer.ts';
import { createAnswered, rememberNothing } from './answered.ts';
import { createShowReading } from './channel.ts';
import type { Config } from './config.ts';
import { type ControlPlane, createControlPlane, withKeyRotation } from './control-plane.ts';
import { Conversation } from './conversation.ts';
import { createIdentity, type Identity } from './identity/identity.ts';
import { createKeeper, type Keeper } from './identity/keeper.ts';
import type { InboundMessage } from './inbound-message.ts';
import { createInbox } from './inbox.ts';
import { createLease, type Lease } from './lease.ts';
import { createLlm } from './llm.ts';
import type { Log } from './log.ts';
import { type AgentSecrets, chatappToken, createSecretStore, type SecretStore } from './secrets.ts';
import { createRuntimeServer } from './server.ts';
import { createSight } from './sight.ts';
import { createTransport } from './transport.ts';

/** Limits for one response of each service. */
export interface Timeouts {
  controlPlaneMs: number;
  sendMs: number;
  llmMs: number;
}

const defaultTimeouts: Timeouts = { controlPlaneMs: 10_000, sendMs: 10_000, llmMs: 30_000 };

interface Surroundings {
  log: Log;
  /** Milliseconds since 1970. */
  now: () => number;
  /** The clock of caches; `performance` by default, which never goes back. */
  perf?: { now: () => number };
  /** From 0 to 1. */
  random: () => number;
  /** Called when only a start with a new environment helps. */
  onRestartNeeded: () => void;
  /** Called when a newer runtime of the instance has this one's place. */
  onReplaced: () => void;
  timeouts?: Timeouts;
}

export interface Runtime {
  server: Server;
  /** To be ticked once the server listens; undefined without an identity. */
  keeper: Keeper | undefined;
}

/** Wires the whole runtime; the server does not listen yet. */
export function buildRuntime(config: Config, surroundings: Surroundings): Runtime {
  const { log } = surroundings;
  const secrets = createSecretStore();
  const lease = createLease(surroundings.now, () => {
    log.error('replaced');
    surroundings.onReplaced();
  });
  const { controlPlane, identity, keeper } = connect(config, surroundings, secrets, lease);
  const receive = buildInbox(config, surroundings, secrets, controlPlane);
  /** A runtime that was alone for long asks before it answers. */
  async function mayAnswer({ customer_id }: InboundMessage): Promise<boolean> {
    if (lease.isHeld()) return true;
    await controlPlane('GET', '/customer-config', { query: { customer_id } }).catch(() => undefined);
    return lease.isHeld();
  }
  const health = () => ({ status: identity?.status() ?? ('ok' as const), reason: keeper?.lastFailure() });
  function replaceSecrets(pushed: AgentSecrets): void {
    secrets.replace(pushed);
    keeper?.secretsPushed();
  }
  const server = createRuntimeServer({ ...config, health, mayAnswer, receive, replaceSecrets, log });
  return { server, keeper };
}

interface Connected {
  controlPlane: ControlPlane;
  identity: Identity | undefined;
  keeper: Keeper | undefined;
}

/** The way to the control plane, with the identity and the secrets that keep it open. */
function connect(config: Config, surroundings: Surroundings, secrets: SecretStore, lease: Lease): Connected {
  const { now, timeouts = defaultTimeouts } = surroundings;
  const { instanceId, generation } = config;
  const proxyKey = () => secrets.current().proxy_key ?? config.proxyKey;
  const identity = config.identity && createIdentity({ ...config.identity, instanceId }, now);
  const controlPlane = lease.watch(
    createControlPlane({
      baseUrl: config.identity?.mtlsUrl ?? config.controlPlaneUrl,
      instanceId,
      transport: createTransport(identity?.tls),
      proxyKey,
      timeoutMs: timeouts.controlPlaneMs,
    }),
  );
  if (!config.identity || !identity) return { controlPlane, identity: undefined, keeper: undefined };
  const needed = { generation, identity, secrets, controlPlane };
  const keeper = createKeeper({ ...config.identity, ...surroundings, ...needed });
  return {
    controlPlane: withKeyRotation(controlPlane, proxyKey, keeper.refreshSecrets),
    identity,
    keeper,
  };
}

/** Takes messages, makes their answers and delivers them. */
function buildInbox(
  config: Config,
  { log, perf = performance, timeouts = defaultTimeouts }: Surroundings,
  secrets: SecretStore,
  controlPlane: ControlPlane,
) {
  const conversation = new Conversation({
    controlPlane,
    llm: config.llm && createLlm(config.llm, log, timeouts.llmMs),
    sight: createSight(log, perf, secrets.version, config.llm?.isGateway ?? false),
    log,
    perf,
    secretsVersion: secrets.version,
  });
  const showReading = createShowReading({
    ...config,
    timeoutMs: timeouts.sendMs,
    tokenOf: (customerId) => chatappToken(secrets.current(), customerId),
    log,
  });
  return createInbox({
    answer: (message) => conversation.answer(message),
    deliver: createDeliver(controlPlane),
    showReading,
    answered: config.identity ? createAnswered(config.identity.stateDir) : rememberNothing(),
    log,
  });
}
