import { randomUUID } from 'node:crypto';
import type { NewToolCall } from '../../src/audit/tool-calls.db.ts';

export const toolCallAt = (at: Date): NewToolCall => ({
  at,
  tool: 'list_tiers',
  scope: 'instances:read',
  decision: 'allowed',
  reason: null,
  status: 200,
  latency_ms: 1,
  key_id: randomUUID(),
  user_id: null,
  client_name: null,
  client_version: null,
  arguments_fingerprint: null,
  request_id: randomUUID(),
});
