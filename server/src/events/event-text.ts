import { type EventData, type EventKind, type HappenedEvent, PING } from './events.contract.ts';

interface Told {
  /** For chats: one fixed sentence, with the agent's hostname where it has one. */
  says: (agent: string) => string;
  /** The page that shows it. */
  page: (data: EventData) => string;
}

const ofInstance = ({ instance_id }: EventData) =>
  instance_id === undefined ? '/instances' : `/instances/${instance_id}/timeline`;
const ofConversation = ({ conversation_id }: EventData) =>
  conversation_id === undefined ? '/channels/messages' : `/conversations/${conversation_id}`;
const ofApproval = ({ approval_id }: EventData) => `/approvals/${approval_id}`;
const ofRecipe = ({ recipe_id }: EventData) =>
  recipe_id === undefined ? '/recipes' : `/recipes/${recipe_id}/agents`;

const TOLD: Readonly<Record<EventKind | typeof PING, Told>> = {
  'instance.running': { says: (agent) => `The agent ${agent} runs.`, page: ofInstance },
  'instance.failed': { says: (agent) => `The agent ${agent} failed.`, page: ofInstance },
  'instance.upgraded': { says: (agent) => `The agent ${agent} was upgraded.`, page: ofInstance },
  'instance.terminated': { says: (agent) => `The agent ${agent} was ended.`, page: ofInstance },
  'conversation.started': { says: (agent) => `A conversation with ${agent} began.`, page: ofConversation },
  'conversation.handover': {
    says: (agent) => `The agent ${agent} hands a conversation over to a person.`,
    page: ofConversation,
  },
  'conversation.waiting': {
    says: (agent) => `In a conversation with ${agent} somebody has waited for a person for 5 minutes.`,
    page: ofConversation,
  },
  'message.failed': { says: (agent) => `A message of ${agent} could not be sent.`, page: ofConversation },
  'message.dead': { says: (agent) => `A message did not reach the agent ${agent}.`, page: ofConversation },
  'approval.requested': { says: (agent) => `The agent ${agent} asks for an approval.`, page: ofApproval },
  'approval.decided': { says: (agent) => `An approval of ${agent} was decided.`, page: ofApproval },
  'connection.expired': { says: () => 'A connection of a customer has expired.', page: () => '/connections' },
  'timesheet.submitted': { says: () => 'A timesheet was submitted.', page: () => '/workforce/timesheets' },
  'certification.expiring': {
    says: () => 'A certificate of a person ends soon.',
    page: () => '/workforce/certificates',
  },
  'budget.reached': {
    says: (agent) => `A monthly budget${agent && ` of ${agent}`} has reached its mark.`,
    page: () => '/usage',
  },
  'rollout.stopped': { says: () => 'A rollout was stopped.', page: ofRecipe },
  'rollout.succeeded': { says: () => 'A rollout succeeded.', page: ofRecipe },
  [PING]: { says: () => 'This is a test of events.', page: () => '/settings/events' },
};

interface EventText {
  sentence: string;
  link: string;
}

/** @param public_url of the dashboard */
export const eventText = ({ type, data }: HappenedEvent, public_url: string): EventText => ({
  sentence: TOLD[type].says(data.hostname ?? ''),
  link: `${public_url}${TOLD[type].page(data)}`,
});
