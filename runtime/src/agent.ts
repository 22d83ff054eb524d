import { LRUCache, type Perf } from 'lru-cache';
import { type ControlPlane, ControlPlaneError } from './control-plane.ts';
import { at, textOf } from './json.ts';
import { parseTimeZone, type TimeZone, utc } from './local-time.ts';
import type { Tool } from './tools/tool.ts';

const cacheTtlMs = 30_000;
const maxCustomers = 1000;

/** From a customer's merged configuration. */
export interface Agent {
  system_prompt: string | undefined;
  /** From the customer's rules; added to the system prompt. */
  instructions: readonly string[];
  /** False for a channel that the configuration leaves out. */
  speaksIn: (channel: string) => boolean;
  zone: TimeZone;
  offers: (tool: Tool) => boolean;
  /** True with MCP servers: the gateway lists their tools. */
  hasServers: boolean;
  /** True when the tool's skill says `"public": true`: strangers may use it. */
  isPublic: (tool: Tool) => boolean;
}

/** Contract, section 4: the slug of an object is its `slug`, else `type`, `name`, `id`. */
function slugOf(skill: unknown): string | undefined {
  if (typeof skill === 'string') return skill;
  return ['slug', 'type', 'name', 'id']
    .map((key) => textOf(at(skill, key)))
    .find((slug) => slug !== undefined);
}

const everything: Agent = {
  system_prompt: undefined,
  instructions: [],
  speaksIn: () => true,
  zone: utc,
  hasServers: false,
  offers: () => true,
  isPublic: () => false,
};

/** Never closed, because it is for trying the agent. */
const playground = 'playground';
const channels = new Set(['chatapp', playground]);

/** Unknown channels are ignored; a list with nothing else closes no channel. */
function channelsIn(config: unknown): (channel: string) => boolean {
  const types = at(config, 'channel_types');
  const named = (Array.isArray(types) ? types.map(slugOf) : []).filter((type) => channels.has(type ?? ''));
  return (channel) => named.length === 0 || channel === playground || named.includes(channel);
}

function instructionsIn(rules: unknown): string[] {
  const texts = at(rules, 'instructions');
  return Array.isArray(texts) ? texts.flatMap((text: unknown) => textOf(text) ?? []) : [];
}

function agentOf(answer: unknown): Agent {
  const skills = at(answer, 'config', 'skills');
  const servers = at(answer, 'config', 'mcp_servers');
  const all: unknown[] = Array.isArray(skills) ? skills : [];
  const slugs = new Set(all.map(slugOf));
  const open = new Set(all.filter((skill) => at(skill, 'public') === true).map(slugOf));
  return {
    system_prompt: textOf(at(answer, 'config', 'system_prompt')),
    instructions: instructionsIn(at(answer, 'rules')),
    speaksIn: channelsIn(at(answer, 'config')),
    zone: parseTimeZone(textOf(at(answer, 'timezone'))),
    hasServers: Array.isArray(servers) && servers.length > 0,
    offers: ({ skill }) => skill === undefined || slugs.has(skill),
    isPublic: ({ skill }) => open.has(skill),
  };
}

/**
 * Cached for 30 s, and until the next secrets arrive, because an upgrade ends with new secrets. Without a configuration
 * (404), every tool is offered.
 */
export function createAgents(perf: Perf, secretsVersion: () => number) {
  const cache = new LRUCache<string, Agent>({ max: maxCustomers, ttl: cacheTtlMs, ttlResolution: 0, perf });

  return async (customerId: string, controlPlane: ControlPlane): Promise<Agent> => {
    const key = `${secretsVersion()} ${customerId}`;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const agent = await controlPlane('GET', '/customer-config', { query: { customer_id: customerId } }).then(
      agentOf,
      (error: unknown) => {
        if (error instanceof ControlPlaneError && error.status === 404) return everything;
        throw error;
      },
    );
    cache.set(key, agent);
    return agent;
  };
}
