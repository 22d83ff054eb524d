import type { ControlPlane, Instance } from '@agent-control-plane/sdk';
import { responderOf } from '../message-text.ts';
import { oneLine } from '../text.ts';

/** Reasons why a message has had no attempt. */
const NOT_YET =
  'it has not been forwarded yet: the agent is closed for now, an earlier message is pending, or no copy of the service runs jobs';

export async function whyUnanswered(
  acp: ControlPlane,
  instance_id: string,
  conversation_id: string,
  message_id: string,
): Promise<string> {
  const [instance, conversation, { items }] = await Promise.all([
    acp.instances.get(instance_id),
    acp.conversations.get(conversation_id),
    acp.conversations.listMessages(conversation_id, { per_page: 100 }),
  ]);
  if (conversation.mode === 'human') {
    return `${responderOf(conversation)}, and nothing is forwarded to the agent; "agentctl conversations give-back ${conversation_id}" returns it`;
  }
  if (instance.status !== 'running')
    return `${instance.hostname} is ${instance.status}; ${remedyFor(instance)}`;
  const message = items.find(({ id }) => id === message_id);
  if (message?.status === 'handled') return 'the agent took the message and said nothing';
  return message?.error ? oneLine(message.error) : NOT_YET;
}

/** Undefined while the instance can answer, or soon will. */
export async function whyHopeless(acp: ControlPlane, instance_id: string): Promise<string | undefined> {
  const instance = await acp.instances.get(instance_id);
  const { id, hostname, status, runtime } = instance;
  if (status !== 'running') return `${hostname} is ${status}; ${remedyFor(instance)}`;
  if (runtime.reason === null || ['up', 'unready'].includes(runtime.state)) return undefined;
  const reason = runtime.reason.replaceAll('_', ' ');
  return `${hostname} has no runtime (${reason}); "agentctl logs ${id}" shows what it said last`;
}

/** A command that helps with an instance that does not run. */
export function remedyFor({ id, status }: Pick<Instance, 'id' | 'status'>): string {
  switch (status) {
    case 'stopped':
      return `"agentctl instances start ${id} --wait" starts it`;
    case 'failed':
      return `"agentctl instances retry ${id} --wait" tries again`;
    case 'terminating':
    case 'terminated':
      return '"agentctl deploy" deploys another';
    default:
      return `"agentctl instances events ${id} --follow" shows when it runs`;
  }
}
