/** The outside world as a few small interfaces. `adapters/` implements them; tests have fakes of these alone. */

import type { RevocationReason } from './certificates/certificates.db.ts';
import type { Queryable } from './platform/db/queryable.ts';

export type Clock = () => Date;

/** Where an installation has its master keys to itself: durably, each before it is used. */
export interface MasterKeyStore {
  /** Keeps one more, to be the first from the next start on. */
  add(key: Buffer): Promise<void>;
  /** Forgets all the others. */
  keepOnly(key: Buffer): Promise<void>;
}

/** What is done later. A payload holds ids only; the state stands in our own tables. */
export type Job = {
  /** The higher goes first, so that one tenant's many do not hold up the others' few (job_priority in the database). */
  priority: number;
} & (
  | { name: 'run_task'; data: { tenant_id: string; task_id: string } }
  | {
      name: 'forward_message';
      data: { tenant_id: string; instance_id: string; channel_message_id: string };
      conversation: string;
    }
);

export interface JobQueue {
  /** Adds jobs in the caller's transaction: they exist when, and only when, it commits. */
  enqueue(q: Queryable, jobs: readonly Job[]): Promise<void>;
  /** Adds the jobs that a statement before in the same transaction has left (db/left-jobs.ts). */
  enqueueLeft(q: Queryable, name: Job['name']): Promise<void>;
}

/** What the runtime of one instance needs to run. */
export interface RuntimeSpec {
  instance_id: string;
  /** Environment variables, secrets included: never logged, never kept. */
  environment: Readonly<Record<string, string>>;
}

/** Where runtimes run: processes of this machine, containers, a cluster. Every call may be repeated. */
export interface Engine {
  /** Starts the runtime unless it runs already. @returns its base address, e.g. http://127.0.0.1:40123 */
  start(spec: RuntimeSpec): Promise<string>;
  /** Ends the runtime; nothing happens when there is none. Resolves when it is gone. */
  stop(instance_id: string): Promise<void>;
  /** The address of a runtime that runs now. */
  find(instance_id: string): Promise<string | undefined>;
  /** The instances whose runtimes run now, or are being started or ended. */
  list(): Promise<string[]>;
  /** Ends what this engine started, when the service stops. */
  close(): Promise<void>;
}

/** What the service does with a runtime that listens somewhere (contract, section 7). */
export interface RuntimeClient {
  /** Whether the runtime says that it is well. */
  isHealthy(address: string): Promise<boolean>;
  /** Gives a runtime new secrets. */
  putSecrets(address: string, messageSecret: string, secrets: unknown): Promise<void>;
  /** Hands a message over. Rejects unless the runtime took it. */
  postMessage(address: string, messageSecret: string, message: unknown): Promise<void>;
}

export interface LanguageModelRequest {
  /** What the model is to do. */
  instructions: string;
  /** What it is to do it with: data, apart from the instructions. */
  input: string;
  /** The JSON Schema of the answer; models that cannot be held to one are only told. */
  schema: { name: string; schema: Record<string, unknown> };
}

export interface LanguageModel {
  /**
   * The model's answer as it wrote it, to be judged by the caller. Rejects when there is none within 30 seconds, with
   * a message that can be logged.
   */
  complete(request: LanguageModelRequest): Promise<string>;
}

/** Whom a hash is computed for; before it is known who somebody is, where the request comes from. */
export type HashFor = { tenant_id: string } | { address: string };

/**
 * Hashes of passwords and PINs, off the event loop, a bounded number at once, in turns of those whom they are for.
 * ServiceError rate limited where too many wait.
 */
export interface Hasher {
  hash(plaintext: string, whom: HashFor): Promise<string>;
  verify(hash: string, plaintext: string, whom: HashFor): Promise<boolean>;
}

/** Counts by key in windows of a fixed length; what rate limits stand on. */
export interface Counter {
  /** One more in the key's window, which begins with the first. */
  count(key: string, window_seconds: number): Promise<{ count: number; ends_in_ms: number }>;
  /** One less. */
  takeBack(key: string, window_seconds: number): Promise<void>;
  /** The key begins anew. */
  forget(key: string): Promise<void>;
  /** Whether the store that the counts are in answers now, and how often it did not. */
  readonly state: { isUp: boolean; failures: number };
  close(): void;
}

/** A file of a drive, found. Sizes are in bytes. */
export interface DriveFile {
  id: string;
  name: string;
  mime_type: string;
  size: number | null;
  modified_at: string | null;
  folder_id: string | null;
  web_url: string | null;
}

/** A file of a drive with what is in it: as text where the bytes are UTF-8, else as base64. */
export interface DriveContent {
  id: string;
  name: string;
  /** What `content` is; of a document that was exported, the type that it was exported to. */
  mime_type: string;
  size: number;
  encoding: 'utf-8' | 'base64';
  content: string;
}

/** Where a drive is and how far it may be looked at. */
export interface DriveConnection {
  id: string;
  tenant_id: string;
  provider: string;
  /** As the tenant gave them: nothing about them is certain. */
  credentials: Readonly<Record<string, unknown>>;
  /** The only folders whose files may be seen; undefined: every one that the credentials reach. */
  folder_ids: readonly string[] | undefined;
}

export interface DriveSearch {
  /** Part of a file's name. */
  query?: string | undefined;
  mime_type?: string | undefined;
  /** The folder that a file stands in itself (not below it). */
  folder_id?: string | undefined;
  max_results: number;
}

/**
 * Customers' cloud drives (contract, section 7). Rejects with a ServiceError: not_found, payload_too_large over 10 MiB,
 * bad_gateway when the provider is down, refuses or talks nonsense.
 */
export interface Drive {
  search(connection: DriveConnection, search: DriveSearch): Promise<DriveFile[]>;
  read(connection: DriveConnection, file_id: string): Promise<DriveContent>;
}

/** What the caller decides of a certificate. */
export interface CertificateTerms {
  /** Whole octets in hexadecimal, the first digit from 1 to 7: positive as it stands. */
  serial: string;
  /** Whole seconds, as X.509 has them. */
  not_before: Date;
  not_after: Date;
}

/** What a signing request that passed every check proves: that its sender holds this key. Nothing else of it counts. */
export interface CertificateRequest {
  /** SubjectPublicKeyInfo, DER. */
  public_key_spki: Buffer;
  public_key_sha256: Buffer;
}

/** What one server is reached by, as its certificate lists it. */
export interface ServerNames {
  hostnames: string[];
  ips: string[];
}

/** A certificate, or several from the leaf on, with the key of the first; PEM, the key PKCS #8. */
export interface CertifiedKey {
  cert_pem: string;
  private_key_pem: string;
}

/** A certificate authority's key that was given by file, with its root. */
export interface GivenAuthority extends CertifiedKey {
  serial: string;
  not_before: Date;
  not_after: Date;
  root: { cert_pem: string; serial: string; not_before: Date; not_after: Date };
}

export interface RevokedCertificate {
  serial: string;
  revoked_at: Date;
  reason: RevocationReason;
}

/** A key that signs certificates and revocation lists. */
export interface Issuer {
  /** A TLS client's certificate: its subject and its names are these, whatever the request asked for. PEM. */
  issueClient(
    request: CertificateRequest,
    certificate: CertificateTerms & { common_name: string; spiffe_id: string },
  ): Promise<string>;
  /** A TLS server's new key, and its certificate with those above it but the root. */
  issueServer(certificate: CertificateTerms & ServerNames): Promise<CertifiedKey>;
  /** A new key that issues certificates, but none for further authorities. */
  issueAuthority(certificate: CertificateTerms & { common_name: string }): Promise<CertifiedKey>;
  /** A version 2 revocation list, PEM. `number` grows from list to list. */
  signRevocationList(list: {
    number: bigint;
    revoked: readonly RevokedCertificate[];
    this_update: Date;
    next_update: Date;
  }): Promise<string>;
}

/** X.509 (RFC 5280), for the service's own authority (contract, section 8). */
export interface X509 {
  /**
   * Reads a signing request (PKCS #10, PEM). Rejects with ServiceError bad_request unless its key is one of P-256,
   * P-384, Ed25519 and RSA of 2048 to 8192 bits, and its signature is right and of today.
   */
  readRequest(csr_pem: string): Promise<CertificateRequest>;
  /** A new root: its key and its self-signed certificate. */
  createRoot(certificate: CertificateTerms & { common_name: string }): Promise<CertifiedKey>;
  openIssuer(key: CertifiedKey): Promise<Issuer>;
}

export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
