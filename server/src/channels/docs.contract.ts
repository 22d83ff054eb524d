import type { FieldDocs } from '../platform/contract/wording.ts';

export const channelsDocs: FieldDocs = {
  texts: {
    attempts: 'Deliveries that were tried',
    endpoint_id: 'The channel endpoint’s id',
    'hub.challenge': 'The text that is sent back',
    'hub.mode': '`subscribe`',
    'hub.verify_token': 'The word that an endpoint was registered with',
    phone_number_id: 'The channel’s id of the number',
    received_at: 'When it was received',
  },
  examples: {
    'list_operator_messages.id': '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a0c',
    endpoint_id: '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a0b',
    channel_message_id: '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a0c',
    'media.id': '1013859600285441',
    'Channels.id': '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a0b',
    'list_channel_messages.id': '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a0c',
    'retry_channel_message.id': '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a0c',
    received_at: '2026-11-20T09:00:00.000Z',
    'Channels.finished_at': '2026-11-20T09:00:01.000Z',
    phone_number_id: '187768953141096',
    'Channels.verified_at': '2026-11-20T08:59:00.000Z',
    last_received_at: '2026-11-20T09:00:00.000Z',
    webhook_url: 'https://agents.example.com/hooks/chatapp',
    verify_token: 'a word of yours',
    app_secret: '0123456789abcdef0123456789abcdef',
    'Channels.status': 'delivered',
    'retry_channel_message.status': 'pending',
    'query.status': 'waiting',
    media_id: '1037543291543636',
    'list_channel_templates.name': 'we_are_back',
    'list_channel_templates.status': 'APPROVED',
    'list_channel_templates.text': 'Hello {{1}}, we are back.',
    'list_channel_templates.parameters': 1,
    attempts: 1,
    'hub.mode': 'subscribe',
    'hub.verify_token': 'a word of yours',
    'hub.challenge': '1158201444',
  },
  bodies: {
    'update_channel_endpoint request': {
      app_secret: 'fedcba9876543210fedcba9876543210',
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
                metadata: {
                  display_phone_number: '61390000000',
                  phone_number_id: '187768953141096',
                },
                contacts: [
                  {
                    profile: {
                      name: 'Ana Silva',
                    },
                    wa_id: '61400000001',
                  },
                ],
                messages: [
                  {
                    from: '61400000001',
                    id: 'wamid.HBgLNjE0MDAwMDAwMDEVAgASGBQz',
                    timestamp: '1795165200',
                    type: 'text',
                    text: {
                      body: 'my shifts',
                    },
                  },
                ],
              },
            },
          ],
        },
      ],
    },
    'receive_webhook application/json': {},
    'verify_webhook text/plain': '1158201444',
    'get_conversation_media */*': 'the bytes of the attachment',
    'get_instance_media */*': 'the bytes of the attachment',
  },
};
