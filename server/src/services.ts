import type { Hasher } from './access/hasher.port.ts';
import type { LoginThrottle } from './access/login-throttle.ts';
import type { Tokens } from './access/tokens.ts';
import type { CertificateAuthority } from './certificates/certificate-authority.ts';
import type { RevocationListKeeper } from './certificates/revocation-lists.ts';
import type { X509 } from './certificates/x509.port.ts';
import type { Drive } from './drive/drive.port.ts';
import type { Engine } from './instances/engine.port.ts';
import type { RuntimeClient } from './instances/runtime-client.port.ts';
import type { Inbox } from './messaging/inbox.ts';
import type { SigningEndpoints } from './messaging/signing-endpoints.ts';
import type { WebhookThrottle } from './messaging/webhook-throttle.ts';
import type { Database } from './platform/db/database.ts';
import type { Notifications } from './platform/db/notifications.ts';
import type { Metrics } from './platform/metrics.ts';
import type { Clock, Log } from './platform/ports.ts';
import type { LanguageModel } from './recipes/language-model.port.ts';
import type { RecipeLists } from './recipes/recipe-lists.ts';
import type { Keyring } from './secrets/keyring.ts';
import type { MasterKeyRotation } from './secrets/master-key-rotation.ts';

/** All services, made once by service.ts. Handlers and rules name the few that they need. */
export interface Services {
  db: Database;
  clock: Clock;
  keyring: Keyring;
  masterKeyRotation: MasterKeyRotation;
  tokens: Tokens;
  hasher: Hasher;
  loginThrottle: LoginThrottle;
  inbox: Inbox;
  signingEndpoints: SigningEndpoints;
  webhookThrottle: WebhookThrottle;
  notifications: Notifications;
  engine: Engine;
  runtimes: RuntimeClient;
  /** undefined unless configured. */
  languageModel: LanguageModel | undefined;
  drive: Drive;
  x509: X509;
  authority: CertificateAuthority;
  revocationLists: RevocationListKeeper;
  recipeLists: RecipeLists;
  log: Log;
  metrics: Metrics;
  /** Rejects when the service cannot work. */
  checkReady: () => Promise<void>;
  /** How far runtimes are isolated: `on`, `off` or `missing: …`. */
  isolation: () => string;
  /** Writes the last uses of API keys now rather than a moment later. */
  noteKeyUses: () => Promise<void>;
  /** Calls back when the service begins to stop. @returns unsubscribe */
  onStopping: (listener: () => void) => () => void;
  settings: {
    /** Identifies this copy of the service as a host of runtimes. */
    host_id: string;
    /** The address at which runtimes reach the service. */
    base_url: () => string;
    /** The same for requests with a client certificate. */
    mtls_url: () => string;
    /** The channel's send API where a region names no other. */
    chatapp_api_base_url: string;
    /** Part of instances' names: spiffe://<trust domain>/instance/<instance_id>. */
    trust_domain: string;
    llm: { base_url: string; api_key: string; model: string } | undefined;
  };
}
