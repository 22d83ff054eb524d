import type { FieldDocs } from '../platform/contract/wording.ts';

export const modelsDocs: FieldDocs = {
  texts: {
    latency_ms: 'How long it took, in milliseconds',
    models: 'The entries of the catalogue',
  },
  examples: {
    'list_llm_providers.slug': 'mine',
    'get_llm_provider.slug': 'mine',
    'put_llm_provider.slug': 'mine',
    'list_tenant_llm_providers.slug': 'mine',
    'get_tenant_llm_provider.slug': 'mine',
    'put_tenant_llm_provider.slug': 'mine',
    api_key: 'sk-example',
    'list_llm_provider_models.id': 'small-1',
    'list_tenant_llm_provider_models.id': 'small-1',
    'get_usage.from': '2026-11-01',
    'get_usage.to': '2026-11-30',
    'get_usage.model': 'small-1',
    unpriced_calls: 0,
    estimated_calls: 0,
    'get_usage.cost': '0.0125',
    'get_usage.truncated': false,
    'list_model_calls.from': '2026-11-20T09:00:00.000Z',
    'list_model_calls.to': '2026-11-20T09:01:00.000Z',
    'list_model_calls.status': 'ok',
    'list_model_calls.cost': '0.0021',
    'list_model_calls.model': 'small-1',
    asked_model: 'small-1',
    estimated: false,
    'x-conversation-id': '5f0c9d4e-6c1e-4a7e-9a51-0d2f4c8e7a16',
    base_url: 'https://api.example.com/v1',
    day: '2026-11-20',
    'get_usage.total': {
      calls: 4,
      unpriced_calls: 0,
      estimated_calls: 0,
      input_tokens: 12000,
      cached_input_tokens: 8000,
      output_tokens: 900,
      audio_seconds: 0,
      cost: '0.0125',
    },
    group_by: 'day,model',
    monthly_cost: '25',
    'limits.monthly_cost': 100,
    monthly_tokens: 5000000,
    spent_cost: '3.75',
    spent_tokens: 812000,
    resets_at: '2026-12-01T00:00:00.000Z',
    latency_ms: 6,
  },
  bodies: {
    'complete_chat request': {
      messages: [
        {
          role: 'user',
          content: 'When is my next shift?',
        },
      ],
      stream: false,
    },
    'complete_chat application/json': {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      model: 'small-1',
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          message: {
            role: 'assistant',
            content: 'Tomorrow at 6, at the quay.',
          },
        },
      ],
      usage: {
        prompt_tokens: 320,
        completion_tokens: 12,
        total_tokens: 332,
      },
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
  },
};
