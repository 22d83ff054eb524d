import { LRUCache, type Perf } from 'lru-cache';
import { type ControlPlane, ControlPlaneError } from './control-plane.ts';
import { at, textOf } from './json.ts';
import { parseTimeZone, type TimeZone, utc } from './local-time.ts';
import type { Tool } from './tools/tool.ts';

const cacheTtlMs = 30_000;
const maxCustomers = 1000;

/** The parts of a customer's merged configuration that the runtime uses. */
export interface Agent {
  system_prompt: string | undefined;
  zone: TimeZone;
  offers: (tool: Tool) => boolean;
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

const everything: Agent = { system_prompt: undefined, zone: utc, offers: () => true, isPublic: () => false };

function agentOf(answer: unknown): Agent {
  const skills = at(answer, 'config', 'skills');
  const all: unknown[] = Array.isArray(skills) ? skills : [];
  const slugs = new Set(all.map(slugOf));
  const open = new Set(all.filter((skill) => at(skill, 'public') === true).map(slugOf));
  return {
    system_prompt: textOf(at(answer, 'config', 'system_prompt')),
    zone: parseTimeZone(textOf(at(answer, 'timezone'))),
    offers: ({ skill }) => skill === undefined || slugs.has(skill),
    isPublic: ({ skill }) => open.has(skill),
  };
}

/** Reads a customer's agent, cached for 30 s. Without a configuration (404), every tool is offered. */
export function createAgents(controlPlane: ControlPlane, perf: Perf) {
  const cache = new LRUCache<string, Agent>({ max: maxCustomers, ttl: cacheTtlMs, ttlResolution: 0, perf });

  return async (customerId: string): Promise<Agent> => {
    const cached = cache.get(customerId);
    if (cached !== undefined) return cached;
    const agent = await controlPlane('GET', '/customer-config', { query: { customer_id: customerId } }).then(
      agentOf,
      (error: unknown) => {
        if (error instanceof ControlPlaneError && error.status === 404) return everything;
        throw error;
      },
    );
    cache.set(customerId, agent);
    return agent;
  };
}
