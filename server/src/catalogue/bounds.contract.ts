const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * The bounds of things, in number and in bytes (contract, section 11). The shapes of requests say the rest: each text,
 * list and object there has a bound of its own.
 */
export const BOUNDS = {
  /** Elements of lists in a recipe, overrides or a customer's configuration, by their path. */
  configuration: {
    mcp_servers: 20,
    /** For each server. */
    'mcp_servers.allowed_tools': 500,
    trigger_templates: 100,
    skills: 200,
    'approval_rules.require': 200,
    'model_policy.fallback_models': 10,
  },
  onboarding: { steps: 50 },
  customer: { connections: 100, websites: 100 },
  connection: { credentials_bytes: 16 * KIB },
  manifest: { sidecar_images_bytes: 64 * KIB },
  staff: { list_bytes: 128 * KIB, record_bytes: 512 * KIB },
  completion: { messages: 10_000 },
  message: { text_bytes: 64 * KIB, tool_calls: 100, tool_calls_bytes: 64 * KIB },
  /** Received from all tool servers of an instance for one list. */
  tool_lists_bytes: 8 * MIB,
  /** In responses. */
  page: { messages_bytes: 4 * MIB, contents_bytes: 4 * MIB, events_bytes: MIB, tools_bytes: MIB },
} as const;
