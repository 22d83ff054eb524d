/** Ids shared by all examples, so that requests and answers of different operations fit together. */
const tenant_id = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a01';
const user_id = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a02';
const api_key_id = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a03';
const recipe_id = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a04';
export const customer_id = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a05';
const instance_id = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a06';
const task_id = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a07';
const deployment_id = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a18';
const tier_id = 'b3f0c9d4-6c1e-4a7e-9a51-0d2f4c8e7a10';
const person_id = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a08';
const identity_id = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a09';
const connection_id = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a0a';
const endpoint_id = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a0b';
const channel_message_id = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a0c';
const subscription_id = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a0d';
const website_id = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a0e';
const primitive_id = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a0f';
const shift_id = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a11';
const timesheet_id = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a12';
const model_row_id = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a13';
const session_id = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a15';
const binding_id = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a14';
const conversation_id = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a16';
const message_row_id = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a17';
const approval_id = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a19';
const rules_template_id = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a19';
const onboarding_flow_id = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a1a';
const assignment_id = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a15';
const host_id = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a20';
const authority_key_id = '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a21';

/** Example values of ids (see values.ts). */
export const idExamples: Readonly<Record<string, unknown>> = {
  tenant_id,
  user_id,
  admin_user_id: user_id,
  api_key_id,
  key_id: api_key_id,
  recipe_id,
  template_id: recipe_id,
  customer_id,
  source_customer_id: customer_id,
  instance_id,
  source_instance_id: null,
  task_id,
  deployment_id,
  'InstanceDeployment.id': deployment_id,
  'list_instance_deployments.id': deployment_id,
  'list_instance_logs.id': 4711,
  host_id,
  'list_operator_tiers.id': tier_id,
  'list_operator_regions.id': 'default',
  'list_operator_models.id': model_row_id,
  'list_operator_hosts.id': host_id,
  'list_operator_instances.id': instance_id,
  'list_operator_messages.id': channel_message_id,
  'list_operator_ca.id': authority_key_id,
  issued_by: null,
  'list_operator_ca.serial': '4c0e9d4e6c1e4a7e9a510d2f4c8e7a21',
  tier_id,
  region_id: 'default',
  person_id,
  identity_id,
  connection_id,
  endpoint_id,
  channel_message_id,
  subscription_id,
  session_id,
  website_id,
  primitive_id,
  'path.rules_template_id': rules_template_id,
  'path.onboarding_flow_id': onboarding_flow_id,
  shift_id,
  assignment_id,
  conversation_id,
  approval_id,
  'Approvals.id': approval_id,
  'decided_by.id': user_id,
  'Conversations.id': message_row_id,
  'list_conversations.id': conversation_id,
  'get_conversation.id': conversation_id,
  'update_conversation.id': conversation_id,
  'media.id': '1013859600285441',
  'write_in_playground.message_id': message_row_id,
  before: message_row_id,
  next_before: null,
  binding_id,
  timesheet_id,
  file_id: '1AbCdEfGhIjKlMnOpQrStUvWxYz',
  actor_id: api_key_id,
  resource_id: recipe_id,
  'actor.id': api_key_id,
  'API keys.id': api_key_id,
  'Channels.id': endpoint_id,
  'list_channel_messages.id': channel_message_id,
  'retry_channel_message.id': channel_message_id,
  'Connections.id': connection_id,
  'Customers.id': customer_id,
  'instances.id': instance_id,
  'subscriptions.id': subscription_id,
  'Drive.id': '1AbCdEfGhIjKlMnOpQrStUvWxYz',
  'Identities.id': identity_id,
  'Instances.id': instance_id,
  'list_instance_events.id': 7,
  'Models.id': model_row_id,
  'Primitives.id': primitive_id,
  'Recipes.id': recipe_id,
  'Rules templates.id': rules_template_id,
  'Onboarding flows.id': onboarding_flow_id,
  'Staff.id': person_id,
  'list_bindings.id': binding_id,
  'create_binding.id': binding_id,
  'Subscriptions.id': subscription_id,
  'Tenants.id': tenant_id,
  'tenant.id': tenant_id,
  'Tiers and regions.id': tier_id,
  'list_regions.id': 'default',
  'put_region.id': 'default',
  'Users.id': user_id,
  'list_my_sessions.id': session_id,
  'Websites.id': website_id,
  'Work.id': shift_id,
  'list_assignments.id': assignment_id,
  'create_assignment.id': assignment_id,
  'update_assignment.id': assignment_id,
  'list_timesheets.id': timesheet_id,
  'update_timesheet.id': timesheet_id,
  'Workers.id': shift_id,
  'list_my_timesheets.id': timesheet_id,
  'create_my_timesheet.id': timesheet_id,
};
