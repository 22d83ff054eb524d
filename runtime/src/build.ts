import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:https';
import { createDeliver } from './answer.ts';
import { createAnswered, rememberNothing } from './answered.ts';
import { createShowReading } from './channel.ts';
import type { Config } from './config.ts';
import { type ControlPlane, createControlPlane, withKeyRotation } from './control-plane.ts';
import { Conversation } from './conversation.ts';
import { type Certified, chainOf } from './identity/certificate.ts';
import { createIdentity, type Identity } from './identity/identity.ts';
import { createKeeper, type Keeper } from './identity/keeper.ts';
import type { InboundMessage } from './inbound-message.ts';
import { createInbox } from './inbox.ts';
import { createLease, type Lease } from './lease.ts';
import { createLlm } from './llm.ts';
import { maxAnswerBytes } from './llm-endpoint.ts';
import type { Log } from './log.ts';
import type { LogLines } from './log-lines.ts';
import { createLoadPictures } from './pictures.ts';
import { type AgentSecrets, chatappToken, createSecretStore, type SecretStore } from './secrets.ts';
import { createRuntimeServer } from './server.ts';
import { createTransport, fetchBy, type Transport } from './transport.ts';

/** Per response. */
interface Timeouts {
  controlPlaneMs: number;
  sendMs: number;
  llmMs: number;
}

const defaultTimeouts: Timeouts = { controlPlaneMs: 10_000, sendMs: 10_000, llmMs: 30_000 };

interface Environment {
  log: Log;
  /** Nobody reads the standard output. */
  logLines?: LogLines | undefined;
  /** Milliseconds since 1970. */
  now: () => number;
  /** The clock of caches; `performance` by default, which is monotonic. */
  perf?: { now: () => number };
  /** From 0 to 1. */
  random: () => number;
  /** Only a start with a new environment helps. */
  onRestartNeeded: () => void;
  /** A newer runtime of the instance exists. */
  onReplaced: () => void;
  /** It has a certificate, so with TLS=on it may listen. Called for each. */
  onCertified?: () => void;
  timeouts?: Timeouts;
}

export interface Runtime {
  server: Server | TlsServer;
  /** Call its `tick` once the server listens, with TLS=on before; undefined without an identity. */
  keeper: Keeper | undefined;
}

/** The server does not listen yet. */
export function buildRuntime(config: Config, environment: Environment): Runtime {
  const { log } = environment;
  const secrets = createSecretStore();
  const lease = createLease(environment.now, () => {
    log.error('replaced');
    environment.onReplaced();
  });
  const connected = connect(config, environment, secrets, lease, certify);
  const { controlPlane, identity, keeper } = connected;
  const receive = buildInbox(config, environment, secrets, connected);
  /** With an expired lease, any call of the control plane renews it. */
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
  /** Connections that are open keep the certificate that they began with. */
  function certify(certified: Certified): void {
    if (server instanceof TlsServer) server.setSecureContext(contextOf(certified));
    environment.onCertified?.();
  }
  return { server, keeper };
}

const contextOf = (certified: Certified) => ({
  cert: chainOf(certified),
  key: certified.private_key_pem,
  minVersion: 'TLSv1.2' as const,
});

interface Connected {
  transport: Transport;
  controlPlane: ControlPlane;
  identity: Identity | undefined;
  keeper: Keeper | undefined;
}

function connect(
  config: Config,
  environment: Environment,
  secrets: SecretStore,
  lease: Lease,
  onCertified: (certified: Certified) => void,
): Connected {
  const { now, timeouts = defaultTimeouts } = environment;
  const { instanceId, generation } = config;
  const proxyKey = () => secrets.current().proxy_key ?? config.proxyKey;
  const identity = config.identity && createIdentity({ ...config.identity, instanceId }, now, onCertified);
  const transport = createTransport(identity?.tls);
  const direct = createControlPlane({
    baseUrl: config.identity?.mtlsUrl ?? config.controlPlaneUrl,
    instanceId,
    transport,
    proxyKey,
    timeoutMs: timeouts.controlPlaneMs,
  });
  environment.logLines?.sendBy(direct);
  const controlPlane = lease.watch(direct);
  if (!config.identity || !identity)
    return { transport, controlPlane, identity: undefined, keeper: undefined };
  const needed = { generation, identity, secrets, controlPlane };
  const keeper = createKeeper({ ...config.identity, ...environment, ...needed });
  return {
    transport,
    controlPlane: withKeyRotation(controlPlane, proxyKey, keeper.refreshSecrets),
    identity,
    keeper,
  };
}

function buildInbox(
  config: Config,
  { log, perf = performance, timeouts = defaultTimeouts }: Environment,
  secrets: SecretStore,
  { controlPlane, transport }: Connected,
) {
  const conversation = new Conversation({
    controlPlane,
    llm: config.llm && createLlm(config.llm, log, timeouts.llmMs, modelFetch(config, transport, timeouts)),
    loadPictures: createLoadPictures(log, perf, secrets.version, config.llm?.isGateway ?? false),
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

/** The global `fetch` trusts public authorities alone, and has no certificate to show. */
function modelFetch({ llm, identity }: Config, transport: Transport, { llmMs: timeoutMs }: Timeouts) {
  const isOverMtls = identity !== undefined && llm?.baseUrl.startsWith(`${identity.mtlsUrl}/`);
  return isOverMtls ? fetchBy(transport, { timeoutMs, maxBytes: maxAnswerBytes }) : undefined;
}
