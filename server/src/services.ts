import type { Hasher } from './access/hasher.port.ts';
import type { LoginThrottle } from './access/login-throttle.ts';
import type { Tokens } from './access/tokens.ts';
import type { ToolCallLog } from './audit/tool-call-log.ts';
import type { CertificateAuthority } from './certificates/certificate-authority.ts';
import type { RevocationListKeeper } from './certificates/revocation-lists.ts';
import type { X509 } from './certificates/x509.port.ts';
import type { ChannelMetrics } from './channels/channel-metrics.ts';
import type { Inbox } from './channels/inbox.ts';
import type { MediaSource } from './channels/media-source.port.ts';
import type { OutgoingFiles } from './channels/outgoing-files.ts';
import type { ReadMarks } from './channels/read-marks.ts';
import type { SendApi } from './channels/send-api.port.ts';
import type { SigningEndpoints } from './channels/signing-endpoints.ts';
import type { TemplateSource } from './channels/template-source.port.ts';
import type { WebhookThrottle } from './channels/webhook-throttle.ts';
import type { DialogueMetrics } from './dialogue/dialogue-metrics.ts';
import type { VoiceNotes } from './dialogue/voice-notes.ts';
import type { Drive } from './drive/drive.port.ts';
import type { PeopleJudge } from './eligibility/people-judge.port.ts';
import type { EventMetrics } from './events/event-metrics.ts';
import type { EventSender } from './events/event-sender.port.ts';
import type { EventPace } from './events/send-events.ts';
import type { SenderTokens } from './identities/sender-tokens.ts';
import type { LogAllowance } from './logs/log-allowance.ts';
import type { LogRedactors } from './logs/log-redactors.ts';
import type { LlmClient } from './models/llm-client.port.ts';
import type { ModelTimeouts } from './models/model-call.ts';
import type { ModelHabits } from './models/model-habits.ts';
import type { ModelMetrics } from './models/model-metrics.ts';
import type { ProviderChecks } from './operating/provider-checks.ts';
import type { Retention } from './operating/retention.ts';
import type { StoredOverviews } from './overview/stored-overviews.ts';
import type { HidePins } from './pins/typed-pins.ts';
import type { Database } from './platform/db/database.ts';
import type { Notifications } from './platform/db/notifications.ts';
import type { DatabaseChecks } from './platform/db/readiness.ts';
import type { ServiceState } from './platform/health.http.ts';
import type { Metrics } from './platform/metrics.ts';
import type { Clock, Log } from './platform/ports.ts';
import type { SeldomLog } from './platform/seldom-log.ts';
import type { Tracing } from './platform/tracing.ts';
import type { TaskMetrics } from './provisioning/task-metrics.ts';
import type { LanguageModel, LanguageModelMeter } from './recipes/language-model.port.ts';
import type { RecipeLists } from './recipes/recipe-lists.ts';
import type { Engine } from './runtimes/engine.port.ts';
import type { RuntimeClient } from './runtimes/runtime-client.port.ts';
import type { RuntimeMetrics } from './runtimes/runtime-metrics.ts';
import type { Keyring } from './secrets/keyring.ts';
import type { MasterKeyRotation } from './secrets/master-key-rotation.ts';
import type { ToolMetrics } from './tools/tool-metrics.ts';
import type { ToolServers } from './tools/tool-servers.port.ts';
import type { WorkCheck } from './workforce/work-check.port.ts';

/** Created once by service.ts. Handlers and rules name the few that they need. */
export interface Services extends StoredOverviews {
  db: Database;
  clock: Clock;
  keyring: Keyring;
  logAllowance: LogAllowance;
  logRedactors: LogRedactors;
  masterKeyRotation: MasterKeyRotation;
  tokens: Tokens;
  senderTokens: SenderTokens;
  hidePins: HidePins;
  hasher: Hasher;
  peopleJudge: PeopleJudge;
  workCheck: WorkCheck;
  loginThrottle: LoginThrottle;
  inbox: Inbox;
  signingEndpoints: SigningEndpoints;
  webhookThrottle: WebhookThrottle;
  notifications: Notifications;
  engine: Engine;
  runtimes: RuntimeClient;
  sendApi: SendApi;
  outgoingFiles: OutgoingFiles;
  readMarks: ReadMarks;
  mediaSource: MediaSource;
  templateSource: TemplateSource;
  eventSender: EventSender;
  eventPace: EventPace;
  toolServers: ToolServers;
  callRecords: ToolCallLog;
  voiceNotes: VoiceNotes | undefined;
  languageModel: LanguageModel | undefined;
  languageModelMeter: LanguageModelMeter;
  llmClient: LlmClient;
  modelTimeouts: ModelTimeouts;
  modelHabits: ModelHabits;
  providerChecks: ProviderChecks;
  drive: Drive;
  x509: X509;
  authority: CertificateAuthority;
  revocationLists: RevocationListKeeper;
  recipeLists: RecipeLists;
  log: Log;
  metrics: Metrics;
  channelMetrics: ChannelMetrics;
  dialogueMetrics: DialogueMetrics;
  modelMetrics: ModelMetrics;
  toolMetrics: ToolMetrics;
  eventMetrics: EventMetrics;
  taskMetrics: TaskMetrics;
  runtimeMetrics: RuntimeMetrics;
  checkDatabase: () => Promise<DatabaseChecks>;
  serviceState: () => ServiceState;
  seldomLog: SeldomLog;
  tracing: Tracing;
  /** `on`, `off` or `missing: …`. */
  isolation: () => string;
  /** Writes the last uses of API keys without the usual delay. */
  recordKeyUses: () => Promise<void>;
  /** @returns unsubscribe */
  onStopping: (listener: () => void) => () => void;
  settings: {
    /** This copy of the service as a host of runtimes. */
    host_id: string;
    base_url: () => string;
    mtls_url: () => string;
    /** Where browsers and other people's programs reach the service: no path, no slash at the end. */
    public_url: () => string;
    /** True with RUNTIME_COMMAND. */
    replaces_runtime?: boolean;
    /** True with RUNTIME_COMMAND or RUNTIME_IMAGE: the operator describes what the manifest `reference` runs. */
    replaces_manifest?: boolean;
    /** The image of the manifest `reference`, where runtimes are containers. */
    runtime_image?: string | undefined;
    /** The engine of the cluster `default`; undefined: process. */
    provisioner?: 'process' | 'docker' | 'kubernetes';
    /** True with MTLS_PUBLIC_URL and RUNTIME_IMAGE. */
    runs_clusters?: boolean;
    /** True with DRIVE_FILESYSTEM_ROOT=off. */
    lacks_filesystem_drive?: boolean;
    /** The channel's send API by default; a region may have another. */
    chatapp_api_base_url: string;
    /** Part of instances' names: spiffe://<trust domain>/instance/<instance_id>. */
    trust_domain: string;
    llm: { base_url: string; api_key: string; model: string } | undefined;
    retention: Retention;
  };
}
