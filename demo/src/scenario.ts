import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Parties } from './webhook.ts';

/** Random, so that runs do not collide. */
export interface Scenario extends Parties {
  tag: string;
  region_id: string;
  hostname: string;
  idempotency_key: string;
  access_token: string;
  verify_token: string;
  app_secret: string;
  pin: string;
}

export const CHANNEL = 'chatapp';

const digits = (count: number) => Array.from({ length: count }, () => randomInt(10)).join('');
const secret = () => randomBytes(24).toString('base64url');

export function newScenario(): Scenario {
  const tag = randomBytes(3).toString('hex');
  return {
    tag,
    region_id: `demo-${tag}`,
    hostname: `agent-${tag}.example.com`,
    idempotency_key: randomUUID(),
    access_token: secret(),
    verify_token: secret(),
    app_secret: secret(),
    pin: digits(6),
    phone_number_id: `1${digits(14)}`,
    sender: `614${digits(8)}`,
    sender_name: 'Ana Silva',
  };
}

export const customerOf = ({ tag }: Scenario) => ({
  email: `ops-${tag}@example.com`,
  company_name: 'Harbour Logistics',
  country_code: 'AU',
  currency: 'AUD',
  timezone: 'Australia/Sydney',
  locale: 'en-AU',
});

export const recipeOf = ({ tag }: Scenario) => ({
  name: `Crew assistant ${tag}`,
  description: 'Answers a crew about staff, shifts and hours in their chat app',
  system_prompt:
    'You are the crew assistant of a logistics company. Answer briefly, and only from what your tools say.',
  skills: ['staff_query', 'worker_shifts', { slug: 'timesheet', pin_required: true }],
  channel_types: [CHANNEL],
  connection_requirements: [{ provider: CHANNEL }],
  compliance_config: { pin_enforced: true },
});

/** The first is the sender. */
export const staffOf = ({ sender, sender_name }: Scenario) => [
  { name: sender_name, phone: `+${sender}`, skills: ['forklift', 'first aid'], tier: 2 },
  { name: 'Ben Okafor', role: 'contractor', skills: ['forklift'] },
  { name: 'Chen Li', skills: ['crane'] },
];
