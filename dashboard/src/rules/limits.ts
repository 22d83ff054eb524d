import type { TenantLimit } from '@agent-control-plane/sdk';
import { money } from './money.ts';
import { count } from './words.ts';

export type LimitName = TenantLimit['name'];

interface Words {
  name: string;
  /** Says more of the count, or what happens at the limit. */
  about: string;
}

export const LIMITS: Record<LimitName, Words> = {
  instances: { name: 'Agents', about: 'Those that are not ended' },
  recipes: { name: 'Recipes', about: 'The tenant’s own' },
  customers: { name: 'Customers', about: 'Of the tenant' },
  staff: { name: 'Staff', about: 'Of all customers together' },
  keys: { name: 'API keys', about: 'Neither revoked nor replaced' },
  users: { name: 'Users', about: 'Of the tenant' },
  channel_endpoints: { name: 'Numbers', about: 'That messages are received for' },
  monthly_cost: {
    name: 'Cost of this month',
    about: 'At the operator’s model providers; calls beyond it are refused',
  },
  starting: { name: 'Starting at once', about: 'Further agents wait for their turn' },
  drive_reads_at_once: { name: 'Drive files at once', about: 'Further reads wait for 5 seconds' },
  streams: { name: 'Streams at once', about: 'Open pages and programs that follow along' },
  revisions_kept: { name: 'Revisions of a recipe', about: 'Older ones go, but not those that an agent runs' },
  conversations_stored: { name: 'Conversations', about: 'The longest silent ones go' },
  sender_messages: {
    name: 'Messages of one sender',
    about: 'In 10 minutes; further ones reach no agent',
  },
  stored_mib: { name: 'Stored words', about: 'Messages and logs; beyond it nothing is taken in' },
  event_endpoints: { name: 'Event endpoints', about: 'Programs that are told what happens' },
  rules_templates: { name: 'Templates of rules', about: 'That recipes name' },
  onboarding_flows: { name: 'Onboarding flows', about: 'That recipes name' },
};

export const isLimit = (name: string): name is LimitName => name in LIMITS;

export function amount(name: LimitName, value: number): string {
  if (name === 'monthly_cost') return money(value);
  return name === 'stored_mib' ? `${count(Math.round(value))} MiB` : count(value);
}
