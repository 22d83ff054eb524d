import Type, { type Static } from 'typebox';
import { BOUNDS } from '../catalogue/bounds.contract.ts';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Clearable,
  Name,
  PageOf,
  PageQuery,
  params,
  query,
  Text,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';

const tag = 'Onboarding flows';

export const OnboardingStep = NamedObject('OnboardingStep', {
  text: about(Text(4096, 1), 'What the sender is asked or told; the next step waits for a reply to it'),
  save_as: about(Clearable(Text(100, 1)), 'The name of the attribute that the reply is kept as'),
});
export type OnboardingStep = Static<typeof OnboardingStep>;

export const OnboardingFlow = NamedObject('OnboardingFlow', {
  id: Uuid,
  tenant_id: Uuid,
  name: Type.String(),
  steps: Type.Array(OnboardingStep),
  created_at: Timestamp,
  updated_at: Timestamp,
});

const OnboardingFlowCreate = NamedObject('OnboardingFlowCreate', {
  name: about(Name, 'What the flow is called'),
  steps: about(
    Type.Array(OnboardingStep, { maxItems: BOUNDS.onboarding.steps }),
    'In the order in which they are asked',
  ),
});

export const OnboardingFlowUpdate = NamedObject('OnboardingFlowUpdate', {
  name: Type.Optional(OnboardingFlowCreate.properties.name),
  steps: Type.Optional(OnboardingFlowCreate.properties.steps),
});

const OnboardingFlowParams = params({ onboarding_flow_id: about(Uuid, 'The flow’s id') });

export const listOnboardingFlows = operation({
  id: 'list_onboarding_flows',
  method: 'GET',
  path: '/v1/onboarding-flows',
  tag,
  summary: 'List onboarding flows',
  description: 'Newest first. A recipe names one by `onboarding_flow_id`.',
  credential: 'tenant',
  scope: 'recipes:read',
  query: query(PageQuery),
  responses: { 200: PageOf(OnboardingFlow) },
});

export const createOnboardingFlow = operation({
  id: 'create_onboarding_flow',
  method: 'POST',
  path: '/v1/onboarding-flows',
  tag,
  summary: 'Create an onboarding flow',
  description:
    'In a sender’s first conversation its steps are asked before the agent answers. The agent then gets the first message and all replies together.',
  credential: 'admin',
  scope: 'recipes:write',
  body: OnboardingFlowCreate,
  responses: { 201: OnboardingFlow },
});

export const getOnboardingFlow = operation({
  id: 'get_onboarding_flow',
  method: 'GET',
  path: '/v1/onboarding-flows/{onboarding_flow_id}',
  tag,
  summary: 'Get an onboarding flow',
  description: 'With its steps in their order.',
  credential: 'tenant',
  scope: 'recipes:read',
  params: OnboardingFlowParams,
  responses: { 200: OnboardingFlow },
});

export const updateOnboardingFlow = operation({
  id: 'update_onboarding_flow',
  method: 'PUT',
  path: '/v1/onboarding-flows/{onboarding_flow_id}',
  tag,
  summary: 'Change an onboarding flow',
  description: 'Only supplied fields change. A sender who is being asked goes on with the steps of now.',
  credential: 'admin',
  scope: 'recipes:write',
  params: OnboardingFlowParams,
  body: OnboardingFlowUpdate,
  responses: { 200: OnboardingFlow },
});

export const deleteOnboardingFlow = operation({
  id: 'delete_onboarding_flow',
  method: 'DELETE',
  path: '/v1/onboarding-flows/{onboarding_flow_id}',
  tag,
  summary: 'Delete an onboarding flow',
  description:
    'A sender who is being asked comes to the agent at the next message. A recipe that still names it has a violation at its next check.',
  credential: 'admin',
  scope: 'recipes:delete',
  params: OnboardingFlowParams,
  responses: { 204: null },
});
