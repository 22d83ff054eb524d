import type { Server } from 'node:http';
import { createSend } from './channel.ts';
import type { Config } from './config.ts';
import { createControlPlane, withKeyRotation } from './control-plane.ts';
import { createConversation } from './conversation.ts';
import { createIdentity } from './identity/identity.ts';
import { createKeeper, type Keeper } from './identity/keeper.ts';
import { createInbox } from './inbox.ts';
import { createLlm } from './llm.ts';
import type { Log } from './log.ts';
import { type AgentSecrets, chatappToken, createSecretStore } from './secrets.ts';
import { createRuntimeServer } from './server.ts';
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
  const plainControlPlane = createControlPlane({
    baseUrl: config.identity?.mtlsUrl ?? config.controlPlaneUrl,
    instanceId,
    transport: createTransport(identity?.tls),
    proxyKey,
    timeoutMs: timeouts.controlPlaneMs,
  });
  const keeper =
    config.identity &&
    identity &&
    createKeeper({ ...config.identity, ...surroundings, identity, secrets, controlPlane: plainControlPlane });
  const controlPlane = keeper
    ? withKeyRotation(plainControlPlane, proxyKey, keeper.refreshSecrets)
    : plainControlPlane;

  const send = createSend({ ...config, timeoutMs: timeouts.sendMs });
  const llm = config.llm && createLlm(config.llm, log, timeouts.llmMs);
  const answer = createConversation({ controlPlane, llm, log, perf });
  async function tokenOf(customerId: string): Promise<string | undefined> {
    const known = chatappToken(secrets.current(), customerId);
    // A connection may have been added since the last refresh.
    if (known === undefined) await keeper?.refreshSecrets();
    return known ?? chatappToken(secrets.current(), customerId);
  }
  const receive = createInbox({ answer, send, tokenOf, log });
  const status = () => identity?.status() ?? 'ok';
  function replaceSecrets(pushed: AgentSecrets): void {
    secrets.replace(pushed);
    keeper?.secretsPushed();
  }
  const server = createRuntimeServer({ ...config, status, receive, replaceSecrets, log });
  return { server, keeper };
}
