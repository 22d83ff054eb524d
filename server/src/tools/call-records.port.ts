/** A tool call in the tenant's record. Arguments and results are not stored. */
export interface CallRecord {
  at: Date;
  tool: string;
  scope: string | null;
  decision: 'allowed' | 'denied' | 'asked';
  reason: 'unknown_tool' | null;
  status: number | null;
  latency_ms: number;
  key_id: string | null;
  user_id: string | null;
  client_name: string | null;
  client_version: string | null;
  arguments_fingerprint: string | null;
  request_id: string;
}

export interface CallRecords {
  /** A keyed hash, equal for equal arguments of a tool; null when they have no canonical form. */
  fingerprint(tenant_id: string, tool: string, args: unknown): string | null;
  /** Resolves when the record is stored. */
  append(tenant_id: string, call: CallRecord): Promise<void>;
}
