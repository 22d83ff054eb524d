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
import type { Database } from './platform/db/database.ts';
import type { Notifications } from './platform/db/notifications.ts';
import type { Metrics } from './platform/metrics.ts';
import type { Clock, Log } from './platform/ports.ts';
import type { LanguageModel } from './recipes/language-model.port.ts';
import type { RecipeLists } from './recipes/recipe-lists.ts';
import type { Keyring } from './secrets/keyring.ts';
import type { MasterKeyRotation } from './secrets/master-key-rotation.ts';

/** What rules and handlers work with. Made once, by service.ts. */
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
  notifications: Notifications;
  engine: Engine;
  runtimes: RuntimeClient;
  /** undefined where none is configured. */
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
  /** Writes down now when API keys were last used, which is otherwise done a little later. */
  noteKeyUses: () => Promise<void>;
  /** Calls back when the service begins to stop, for what would otherwise go on. @returns how to unsubscribe */
  onStopping: (listener: () => void) => () => void;
  settings: {
    /** This copy of the service, as a host of runtimes. */
    host_id: string;
    /** Where runtimes reach this service. */
    base_url: () => string;
    /** Where runtimes reach this service with a client certificate. */
    mtls_url: () => string;
    /** The channel's send API where a region names no other. */
    chatapp_api_base_url: string;
    /** In the names of instances: spiffe://<trust domain>/instance/<instance_id>. */
    trust_domain: string;
    llm: { base_url: string; api_key: string; model: string } | undefined;
  };
}
