import type { Server } from 'node:http';
import { createSend } from './channel.ts';
import type { Config } from './config.ts';
import { createControlPlane } from './control-plane.ts';
import { createConversation } from './conversation.ts';
import { createInbox } from './inbox.ts';
import { createLlm } from './llm.ts';
import type { Log } from './log.ts';
import { chatappToken } from './secrets.ts';
import { createRuntimeServer } from './server.ts';

/** How long to wait for one answer of each neighbour. */
export interface Timeouts {
  controlPlaneMs: number;
  sendMs: number;
  llmMs: number;
}

const defaultTimeouts: Timeouts = { controlPlaneMs: 10_000, sendMs: 10_000, llmMs: 30_000 };

interface Surroundings {
  log: Log;
  /** Milliseconds. */
  now: () => number;
  timeouts?: Timeouts;
}

/** The whole runtime, wired and not yet listening. */
export function buildRuntime(config: Config, { log, now, timeouts = defaultTimeouts }: Surroundings): Server {
  let secrets = config.agentSecrets;
  const controlPlane = createControlPlane({
    ...config,
    proxyKey: () => secrets.proxy_key ?? config.proxyKey,
    timeoutMs: timeouts.controlPlaneMs,
  });
  const send = createSend({ ...config, timeoutMs: timeouts.sendMs });
  const llm = config.llm && createLlm(config.llm, log, timeouts.llmMs);
  const answer = createConversation({ controlPlane, llm, log, now });
  const tokenOf = (customerId: string) => chatappToken(secrets, customerId);
  const receive = createInbox({ answer, send, tokenOf, log, now });
  const replaceSecrets = (replacement: typeof secrets) => {
    secrets = replacement;
  };
  return createRuntimeServer({ ...config, receive, replaceSecrets, log });
}
