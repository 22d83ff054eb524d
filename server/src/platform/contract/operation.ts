import type { Static, TObject, TSchema } from 'typebox';
import type { JsonList } from '../json/json-list.ts';
import type { JsonText } from '../json/json-text.ts';
import type { Load } from '../load/admission.ts';
import type { Scope } from './scopes.ts';
import type { Tag } from './tags.ts';

/**
 * Callers of an operation (contract, section 3).
 * - none: anybody
 * - tenant: an API key with the scope, or any member's access token
 * - admin: an admin's access token, or an admin key with the scope
 * - admin_user: only an admin's access token (401 for a key)
 * - user: only a member's access token (403 for a key)
 * - optional_user: anybody; with an Authorization header, any member's access token
 * - instance: the operations token, or the proxy key of the instance in the path
 * - enrollment: the same, or only the instance's one-time token in the body
 * - operations: the operations token
 */
export type Credential =
  | 'none'
  | 'tenant'
  | 'admin'
  | 'admin_user'
  | 'user'
  | 'optional_user'
  | 'instance'
  | 'enrollment'
  | 'operations';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Success statuses with the shapes of their bodies; null: no body. */
type Responses = Readonly<Record<number, TSchema | null>>;

/** Beside those that follow from the declaration. */
export type DeclaredFailure = 400 | 401 | 403 | 404 | 406 | 409 | 412 | 413 | 429 | 500 | 502 | 503;

/**
 * An operation over MCP, with its own id and scope. By default GET only reads, DELETE is destructive, PUT and DELETE
 * are idempotent.
 */
export interface ToolTraits {
  /**
   * Only reached by search_operations and call_operation, because each listed tool costs tokens in every conversation.
   */
  readonly unlisted?: true;
  /** Fields of a list's rows, to save tokens; undefined: all. */
  readonly shows?: readonly string[];
  /** The parameter that models know as `search`, instead of the operation's own `search`. */
  readonly searchesBy?: string;
  /** Optional arguments are described only by search_operations. */
  readonly brief?: true;
  /** If this field of the response is not empty, the model learns which operation a person must call. */
  readonly handsOver?: { readonly field: string; readonly operation: string };
  /** Only reads although the method is not GET. */
  readonly readOnly?: true;
  /** Removes something in use or hard to restore; a person confirms if the client supports that. */
  readonly destructive?: true;
  /** Calls another operation and changes nothing itself. */
  readonly callsOthers?: true;
  /** Waits for an event. */
  readonly waits?: true;
  /** Reaches beyond this service and its database. */
  readonly openWorld?: true;
  /** Replaces summary and description if those mention HTTP. */
  readonly says?: string;
}

/** The part of a request that contains the field. */
export type FieldPlace = 'params' | 'query' | 'body';

/**
 * Fields of an internal route that name a person or resource of the sender. A sender's token narrows them: a foreign
 * one is 404 like an unknown one (contract, section 17).
 */
export interface SenderTraits {
  /** If optional and absent, filled in with the sender's customer. */
  readonly customer_id?: FieldPlace;
  /** If optional and absent, filled in with the sender's identity. */
  readonly identity_id?: FieldPlace;
  readonly conversation_id?: FieldPlace;
  /** A member of the customer's staff. */
  readonly person_id?: FieldPlace;
  /** A website of the customer. */
  readonly hostname?: FieldPlace;
  /** An address in a channel. `of`: its owner in a 404. */
  readonly address?: {
    readonly place: FieldPlace;
    readonly channel: string;
    readonly external_id: string;
    readonly of: 'Worker' | 'Identity';
  };
  /** Refuses senders without an identity, unless the skill of `protectedBy` is public. */
  readonly introducedOnly?: true;
  /** Exempt from the instance's requirement of a token: always, or while this body field is null. */
  readonly mayLackToken?: true | { readonly whileNull: string };
}

/** Routes, validation, OpenAPI, tools and the credential matrix derive from it. */
export interface Operation<
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
  R extends Responses = Responses,
> {
  /** Unique snake_case verb_noun; the OpenAPI operationId. */
  readonly id: string;
  readonly method: Method;
  /** With parameters in braces. */
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly credential: Credential;
  /** For API keys; null: none required. */
  readonly scope: Scope | null;
  /** Creates or changes a person's credential: requires a user's session, or a key with `*` besides the scope. */
  readonly mintsCredential?: true;
  readonly params?: P;
  readonly query?: Q;
  /** Optional request headers in lower case, for the documentation. */
  readonly headers?: TObject;
  /**
   * Skills that may require a PIN; a trailing `*` matches a prefix. The service's guard checks the proof before the
   * handler runs.
   */
  readonly protectedBy?: readonly string[];
  /** Required on internal routes of an instance. `none`: the runtime acts for itself, and no token is read. */
  readonly sender?: SenderTraits | 'none';
  /** undefined: no body. */
  readonly body?: B;
  readonly responses: R;
  readonly failures?: readonly DeclaredFailure[];
  /** Further headers of successful responses, by their names in response-headers.ts. */
  readonly answersWith?: readonly string[];
  /** For failures that the operation sends itself with other bodies than `Detail`. */
  readonly failureShapes?: Readonly<Partial<Record<DeclaredFailure, TSchema>>>;
  /** Content types of status 200; default: JSON. */
  readonly produces?: readonly string[];
  /**
   * The handler gets bytes: `json` requires the Content-Type, `any` accepts every type (signed payloads). A `file` is
   * what its bytes say, whatever the Content-Type.
   */
  readonly rawBody?: 'json' | 'any' | 'file';
  /** The documented shape of a raw body. */
  readonly rawShape?: TSchema;
  /** Default: 1. */
  readonly maxBodyMiB?: number;
  /** Failures also have `error` for clients of OpenAI's API. */
  readonly openAiErrors?: true;
  /** Also accepts the key with which an instance's process calls models. */
  readonly takesLlmKey?: true;
  /** The handler waits for a permit of this load (platform/load/admission.ts). */
  readonly load?: Load;
  /** Not recorded as a change: it only counts attempts. */
  readonly changesNothing?: true;
  /** Not counted towards the runtime's limit of requests: without it nobody would be answered. */
  readonly isUnlimited?: true;
  /** Accepts an API key as bearer token. */
  readonly bearerKey?: boolean;
  /** A person's decision, which language models must not make. */
  readonly forPeople?: true;
  /** Present on listed tools; the others are reached by call_operation. */
  readonly mcp?: ToolTraits;
}

export const operation = <
  P extends TObject = TObject<Record<never, never>>,
  Q extends TObject = TObject<Record<never, never>>,
  B extends TSchema = TSchema,
  R extends Responses = Responses,
>(
  declaration: Operation<P, Q, B, R>,
) => declaration;

export type ParamsOf<O> = O extends Operation<infer P, infer _Q, infer _B, infer _R> ? Static<P> : never;
export type QueryOf<O> = O extends Operation<infer _P, infer Q, infer _B, infer _R> ? Static<Q> : never;
export type BodyOf<O> = O extends Operation<infer _P, infer _Q, infer B, infer _R> ? Static<B> : never;
type ResponsesOf<O> = O extends Operation<infer _P, infer _Q, infer _B, infer R> ? R : never;

/** A value or serialized JSON. */
type Body<T> =
  | T
  | JsonText<T>
  | (T extends readonly (infer Item)[] | { items: readonly (infer Item)[] } ? JsonList<Item> : never);

/** A declared status with its declared body. */
export type ReplyOf<O> = {
  [S in keyof ResponsesOf<O> & number]: {
    status: S;
    body: ResponsesOf<O>[S] extends TSchema ? Body<Static<ResponsesOf<O>[S]>> : null;
    headers?: Record<string, string>;
  };
}[keyof ResponsesOf<O> & number];
