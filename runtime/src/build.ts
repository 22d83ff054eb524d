import type { Server } from 'node:http';
import { createDeliver } from './answer.ts';
import { createAnswered, rememberNothing } from './answered.ts';
import { createShowReading } from './channel.ts';
import type { Config } from './config.ts';
import { createControlPlane, withKeyRotation } from './control-plane.ts';
import { createConversation } from './conversation.ts';
import { createIdentity } from './identity/identity.ts';
import { createKeeper, type Keeper } from './identity/keeper.ts';
import type { InboundMessage } from './inbound-message.ts';
import { createInbox } from './inbox.ts';
import { createLease } from './lease.ts';
import { createLlm } from './llm.ts';
import type { Log } from './log.ts';
import { type AgentSecrets, chatappToken, createSecretStore } from './secrets.ts';
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
  const { log, now, perf = performance, timeouts = defaultTimeouts } = surroundings;
  const { instanceId } = config;
  const secrets = createSecretStore();
  const proxyKey = () => secrets.current().proxy_key ?? config.proxyKey;
  const identity = config.identity && createIdentity({ ...config.identity, instanceId }, now);
  const lease = createLease(now, () => {
    log.error('replaced');
    surroundings.onReplaced();
  });
  const plainControlPlane = lease.watch(
    createControlPlane({
      baseUrl: config.identity?.mtlsUrl ?? config.controlPlaneUrl,
      instanceId,
      transport: createTransport(identity?.tls),
      proxyKey,
      timeoutMs: timeouts.controlPlaneMs,
    }),
  );
  const keeper =
    config.identity &&
    identity &&
    createKeeper({
      ...config.identity,
      ...surroundings,
      generation: config.generation,
      identity,
      secrets,
      controlPlane: plainControlPlane,
    });
  const controlPlane = keeper
    ? withKeyRotation(plainControlPlane, proxyKey, keeper.refreshSecrets)
    : plainControlPlane;

  const showReading = createShowReading({
    ...config,
    timeoutMs: timeouts.sendMs,
    tokenOf: (customerId) => chatappToken(secrets.current(), customerId),
    log,
  });
  const llm = config.llm && createLlm(config.llm, log, timeouts.llmMs);
  const sight = createSight(log, perf, secrets.version, config.llm?.isGateway ?? false);
  const answer = createConversation({
    controlPlane,
    llm,
    sight,
    log,
    perf,
    secretsVersion: secrets.version,
  });
  const answered = config.identity ? createAnswered(config.identity.stateDir) : rememberNothing();
  const receive = createInbox({ answer, deliver: createDeliver(controlPlane), showReading, answered, log });
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
