import { forwardOldestMessage } from '../messaging/message-forwarding.ts';
import type { Services } from '../services.ts';
import { ENDLESS, type JobDefinition } from './job-definition.ts';

/**
 * Hands a received message to its instance's runtime, in order per conversation. It is tried until the message itself
 * is given up, so the job's own limit is never reached: a failed job would block its conversation for good.
 */
export const forwardMessageJob = (services: Services): JobDefinition<'forward_message'> => ({
  name: 'forward_message',
  concurrency: 8,
  atMost: 64,
  shares: { tenant_id: 16, instance_id: 8 },
  retry: { limit: ENDLESS, delaySeconds: 1, maxDelaySeconds: 300 },
  ordered: true,
  run: ({ tenant_id, channel_message_id }) => forwardOldestMessage(services, tenant_id, channel_message_id),
});
