import type { Page } from '../../src/platform/contract/shapes.ts';
import type { Client } from './client.ts';

interface Change {
  seq: number;
  at: string;
  actor: { kind: string; id: string | null };
  operation: string;
  resource_id: string | null;
  request_id: string;
  status: number;
}

export const listChanges = async (client: Client, search = '') =>
  (await client.get<Page<Change>>(`/v1/audit/changes?per_page=100${search}`)).body.items;
