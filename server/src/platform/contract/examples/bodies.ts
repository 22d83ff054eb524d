import { customer_id } from './ids.ts';

const rules = { quiet_hours: { from: '22:00', to: '06:00' }, escalate_to: 'ops@example.com' };
const config = { voice_config: { greeting: 'Welcome aboard' } };
const pem = (kind: string) => `-----BEGIN ${kind}-----\nMIIB…\n-----END ${kind}-----\n`;

const message = {
  from: '61400000001',
  id: 'wamid.HBgLNjE0MDAwMDAwMDEVAgASGBQz',
  timestamp: '1795165200',
  type: 'text',
  text: { body: 'my shifts' },
};

/**
 * Examples of bodies without a shape: `<operation> request`, and answers as `<operation> <content type>`. Examples with a
 * shape are assembled from values.ts.
 */
export const exampleBodies: Readonly<Record<string, unknown>> = {
  'get_customer_rules application/json': rules,
  'replace_customer_rules request': rules,
  'replace_customer_rules application/json': rules,
  'get_customer_config application/json': config,
  'replace_customer_config request': config,
  'replace_customer_config application/json': config,
  'update_recipe request': { system_prompt: 'You answer the crew, in one sentence.' },
  'update_customer request': { timezone: 'Australia/Sydney' },
  'update_customer_staff request': { status: 'terminated' },
  'update_shift request': { ends_at: '2026-11-21T07:00:00.000Z' },
  'update_assignment request': { title: 'Unload the evening ferry' },
  'update_identity request': { display_name: 'Ana Silva' },
  'update_connection request': { credentials: { access_token: 'a new token' }, expires_at: null },
  'update_staff request': { status: 'on_leave', availability_notes: 'Back on 7 December' },
  'update_channel_endpoint request': { app_secret: 'fedcba9876543210fedcba9876543210' },
  'complete_chat request': { messages: [{ role: 'user', content: 'When is my next shift?' }], stream: false },
  'complete_chat application/json': {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'small-1',
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        message: { role: 'assistant', content: 'Tomorrow at 6, at the quay.' },
      },
    ],
    usage: { prompt_tokens: 320, completion_tokens: 12, total_tokens: 332 },
  },
  'complete_chat text/event-stream':
    'data: {"id":"chatcmpl-1","choices":[{"index":0,"delta":{"content":"Tomorrow"}}]}\n\ndata: [DONE]\n\n',
  'list_instance_models application/json': {
    object: 'list',
    data: [
      {
        id: 'small-1',
        object: 'model',
        created: 0,
        owned_by: 'agent-control-plane',
        capabilities: ['vision'],
      },
    ],
  },
  'put_models request': {
    models: [{ model_id: 'small-1', modality: 'text', context_window: 128_000, cost_input_per_mtok: '0.25' }],
  },
  'call_mcp request': {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'get_customer', arguments: { customer_id } },
  },
  'call_mcp application/json': {
    jsonrpc: '2.0',
    id: 1,
    result: {
      content: [{ type: 'text', text: '{"company_name":"Harbour Logistics"}' }],
      structuredContent: { company_name: 'Harbour Logistics' },
    },
  },
  'call_tools request': {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'crm__create_ticket', arguments: { title: 'Swap a shift' } },
  },
  'call_tools application/json': {
    jsonrpc: '2.0',
    id: 1,
    result: { content: [{ type: 'text', text: 'Ticket 4711' }] },
  },
  'receive_webhook request': {
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '102290129340398',
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: { display_phone_number: '61390000000', phone_number_id: '187768953141096' },
              contacts: [{ profile: { name: 'Ana Silva' }, wa_id: '61400000001' }],
              messages: [message],
            },
          },
        ],
      },
    ],
  },
  'receive_webhook application/json': {},
  'verify_webhook text/plain': '1158201444',
  'list_instance_events text/event-stream':
    'id: 7\nevent: status\ndata: {"id":7,"at":"2026-11-20T09:00:00.000Z","from":"pending","to":"provisioning","step":null,"message":"Provisioning began"}\n\n',
  'list_instance_logs text/event-stream':
    'id: 4711\nevent: line\ndata: {"id":4711,"at":"2026-11-20T09:00:00.000Z","line":"listening"}\n\n',
  'list_messages text/event-stream':
    'id: 7\nevent: message\ndata: {"id":"5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a17","conversation_id":"5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a16","direction":"in","author":"sender","user_id":null,"kind":"text","text":"Can I swap my shift on Friday?","media":[],"status":"handled","error":null,"at":"2026-11-20T09:00:00.000Z","usage":null,"tool_calls":[]}\n\n',
  'list_tunnel_peers text/plain':
    '[Peer]\n# instance 5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a06\nPublicKey = ++0qx2TUFqXaEFrvg4djLydAbxM3De5uy2wGvJqfekY=\nAllowedIPs = 10.64.0.7/32\n',
  'get_conversation_media */*': 'the bytes of the attachment',
  'get_instance_media */*': 'the bytes of the attachment',
  'get_ca_bundle application/x-pem-file': pem('CERTIFICATE') + pem('CERTIFICATE'),
  'get_ca_crl application/x-pem-file': pem('X509 CRL'),
  'get_metrics text/plain':
    '# TYPE acp_channel_messages_total counter\nacp_channel_messages_total{outcome="stored"} 42\n',
};
