import Type from 'typebox';
import { CustomerName } from '../customers/customer-names.contract.ts';
import { ofSender } from '../identities/senders.contract.ts';
import { NamedObject, named } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Clearable,
  InstanceParams,
  Literals,
  Nullable,
  OpenObject,
  PageOf,
  PageQuery,
  params,
  query,
  Text,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';

const tag = 'Approvals';

const APPROVAL_SORTS = ['requested_at', 'expires_at'] as const;
export type ApprovalSort = (typeof APPROVAL_SORTS)[number];

const Status = named(
  'ApprovalStatus',
  Literals(['waiting', 'approved', 'rejected', 'expired', 'failed'] as const),
);

export const Approval = NamedObject('Approval', {
  id: Uuid,
  instance_id: Uuid,
  hostname: about(Type.String(), 'Of the instance'),
  customer_id: Uuid,
  customer_name: CustomerName,
  conversation_id: about(Nullable(Uuid), 'null where the call belongs to none, or once it was deleted'),
  tool: about(Type.String(), 'The gateway name: the server, two underscores, the tool'),
  arguments: about(Nullable(OpenObject), 'Of the call; null once they were erased'),
  status: Status,
  result: about(Nullable(OpenObject), 'The result as MCP tells it; null before, or once it was erased'),
  requested_at: about(Timestamp, 'When the agent called'),
  expires_at: about(Timestamp, 'Until then it waits'),
  decided_by: about(
    Nullable(
      Type.Object({
        kind: Literals(['user', 'api_key'] as const),
        id: Uuid,
        name: about(
          Nullable(Type.String()),
          'The user’s e-mail address, the key’s name; null once it is gone',
        ),
      }),
    ),
    'The person, or the key of a program, that decided',
  ),
  decided_at: about(Nullable(Timestamp), 'When it was approved or rejected'),
  comment: about(Nullable(Type.String()), 'For the agent; null once it was erased'),
  rule: about(
    Nullable(
      NamedObject('WaitingRule', {
        tool: about(Type.String(), 'The tools that it names, as the recipe writes them'),
        expires_minutes: about(Type.Integer(), 'How long a call waits'),
        recipe_revision: about(Type.Integer(), 'The recipe’s revision that the agent had'),
      }),
    ),
    'The rule by which it waits; null in calls from before there was this field',
  ),
  is_shortened: about(
    Type.Boolean(),
    'True in a list whose page has reached 4 MiB: arguments, result and comment are null, and get_approval has them',
  ),
});

const ApprovalOutcome = NamedObject('ApprovalOutcome', {
  id: Uuid,
  tool: Approval.properties.tool,
  status: Status,
  result: about(
    Nullable(OpenObject),
    'The result as MCP tells it; null before the call was made, or once it was erased',
  ),
  comment: about(Nullable(Type.String()), 'Of the person that decided'),
  expires_at: Approval.properties.expires_at,
});

const ApprovalParams = params({ approval_id: about(Uuid, 'The `id` of list_approvals') });

export const listApprovals = operation({
  id: 'list_approvals',
  method: 'GET',
  path: '/v1/approvals',
  tag,
  summary: 'List calls of tools that wait for a person, and those that did',
  description:
    'Newest first, unless `sort_by` says otherwise. One that failed was approved, and the call could not be made, or nobody knows if it was.',
  credential: 'tenant',
  scope: 'approvals:read',
  query: query({
    ...PageQuery,
    status: Type.Optional(Status),
    instance_id: about(Type.Optional(Uuid), 'Only calls of this instance'),
    customer_id: about(Type.Optional(Uuid), 'Only calls for this customer'),
    conversation_id: about(Type.Optional(Uuid), 'Only calls in this conversation'),
    sort_by: about(
      Literals(APPROVAL_SORTS, { default: 'requested_at' }),
      'requested_at: the newest first; expires_at: what expires soonest first',
    ),
  }),
  responses: { 200: PageOf(Approval) },
});

export const getApproval = operation({
  id: 'get_approval',
  method: 'GET',
  path: '/v1/approvals/{approval_id}',
  tag,
  summary: 'Get a call that waits or waited for a person',
  description: 'With the outcome, once there is one.',
  credential: 'tenant',
  scope: 'approvals:read',
  params: ApprovalParams,
  responses: { 200: Approval },
});

export const decideApproval = operation({
  id: 'decide_approval',
  method: 'POST',
  path: '/v1/approvals/{approval_id}',
  tag,
  summary: 'Approve or reject a call of a tool',
  description:
    'An approved call is made by the service itself, at most once; the agent is told the outcome. 409 where it is decided or expired, or the agent may no longer call the tool.',
  credential: 'tenant',
  scope: 'approvals:write',
  forPeople: true,
  params: ApprovalParams,
  body: NamedObject('ApprovalDecision', {
    decision: Literals(['approve', 'reject'] as const),
    comment: about(Clearable(Text(2000)), 'For the agent'),
  }),
  responses: { 200: Approval },
  failures: [409],
});

export const getInstanceApproval = operation({
  id: 'get_instance_approval',
  method: 'GET',
  path: '/internal/v1/instances/{instance_id}/approvals/{approval_id}',
  tag,
  summary: 'The outcome of an instance’s call that waits or waited for a person',
  description:
    'For calls outside of a conversation, whose outcome comes as no message, and for those that the instance still has to tell of. `approved` with a `result` of null is being carried out.',
  credential: 'instance',
  scope: null,
  params: params({ ...InstanceParams.properties, approval_id: about(Uuid, 'As the call was answered') }),
  // The handler finds only approvals of the sender's conversation.
  ...ofSender({}),
  responses: { 200: ApprovalOutcome },
});
