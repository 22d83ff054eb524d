import type { Static, TObject, TSchema } from 'typebox';
import type { JsonList } from '../json/json-list.ts';
import type { JsonText } from '../json/json-text.ts';
import type { Load } from '../load/admission.ts';
import type { Scope } from './scopes.ts';
import type { Tag } from './tags.ts';

/**
 * Who may call an operation (contract, section 3).
 * - none: anybody
 * - tenant: an API key that holds the scope, or any member's access token
 * - admin: an admin's access token, or an admin key that holds the scope
 * - admin_user: an admin's access token alone (401 for a key)
 * - user: any member's access token alone (403 for a key)
 * - optional_user: anybody, and any member's access token, where there is an Authorization header
 * - instance: the operations token, or the proxy key of the instance in the path
 * - enrollment: the same, or nothing but the instance's one-time token in the body
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

/** Success statuses with the shapes of their bodies; null where there is no body. */
export type Responses = Readonly<Record<number, TSchema | null>>;

/** A failure that an operation declares beside those that follow from its declaration. */
export type DeclaredFailure = 400 | 401 | 403 | 404 | 406 | 409 | 412 | 413 | 429 | 500 | 502 | 503;

/**
 * Traits of an operation over MCP, under its own id and scope. Defaults follow from the method: GET only reads, DELETE is
 * destructive, PUT and DELETE are idempotent.
 */
export interface ToolTraits {
  /** Found by search_operations and called by call_operation alone, because each listed tool costs every conversation. */
  readonly unlisted?: true;
  /** The fields of a list's rows that a model sees, who reads and pays for every byte; all where nothing is said. */
  readonly shows?: readonly string[];
  /** The parameter that models know as `search`, in place of the operation's own of that name. */
  readonly searchesBy?: string;
  /** Leaves the descriptions of its optional arguments to search_operations. */
  readonly brief?: true;
  /** A field of the answer that, unless empty, tells the model which operation a person has to call. */
  readonly handsOver?: { readonly field: string; readonly operation: string };
  /** Only reads, although the method is not GET. */
  readonly readOnly?: true;
  /** Removes something in use or hard to restore; a person confirms where the client supports that. */
  readonly destructive?: true;
  /** Calls another operation, and changes nothing beside it. */
  readonly callsOthers?: true;
  /** Holds its call open until something happens. */
  readonly waits?: true;
  /** Reaches beyond this service and its database. */
  readonly openWorld?: true;
  /** Replaces summary and description for models, where those speak of HTTP. */
  readonly says?: string;
}

/** The part of a request in which a field stands. */
export type FieldPlace = 'params' | 'query' | 'body';

/**
 * The fields by which an internal route names somebody, each with its place. The token of a sender narrows them: a field
 * that names somebody else is 404, as one that names nobody is (contract, section 17).
 */
export interface SenderTraits {
  /** The sender's customer is filled in where the field is optional and left out. */
  readonly customer_id?: FieldPlace;
  /** The sender's identity is filled in where the field is optional and left out. */
  readonly identity_id?: FieldPlace;
  readonly conversation_id?: FieldPlace;
  /** A member of the customer's staff. */
  readonly person_id?: FieldPlace;
  /** A website of the customer. */
  readonly hostname?: FieldPlace;
  /** An address in a channel, in two fields. `of` is what a 404 calls its owner. */
  readonly address?: {
    readonly place: FieldPlace;
    readonly channel: string;
    readonly external_id: string;
    readonly of: 'Worker' | 'Identity';
  };
  /** Refuses senders whom nobody has introduced, unless the skill of `protectedBy` is public. */
  readonly introducedOnly?: true;
  /** Needs no token where the instance requires one: always, or while this field of the body is null. */
  readonly mayLackToken?: true | { readonly whileNull: string };
}

/** One operation as data. Routes, validation, OpenAPI, tools and the credential matrix derive from it. */
export interface Operation<
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TSchema = TSchema,
  R extends Responses = Responses,
> {
  /** snake_case verb_noun, unique; the OpenAPI operationId. */
  readonly id: string;
  readonly method: Method;
  /** With parameters in braces, as in the specification. */
  readonly path: string;
  /** The group in the documentation. */
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly credential: Credential;
  /** The scope that an API key needs; null where none is needed. */
  readonly scope: Scope | null;
  /** Makes or changes a person's credential: beside the scope it needs a user's session, or a key that holds `*`. */
  readonly mintsCredential?: true;
  readonly params?: P;
  readonly query?: Q;
  /** Optional request headers of its own, in lower case, for the documentation. */
  readonly headers?: TObject;
  /**
   * Skills that a person may have to prove the use of; one that ends in `*` is a beginning. The guard of the service
   * checks the proof before the handler runs.
   */
  readonly protectedBy?: readonly string[];
  /** Present on every internal route of an instance; `none`: the runtime speaks for itself, and no token is looked at. */
  readonly sender?: SenderTraits | 'none';
  /** `undefined` where the operation takes no body. */
  readonly body?: B;
  readonly responses: R;
  readonly failures?: readonly DeclaredFailure[];
  /** Bodies of failures that are no `Detail`, where the operation answers them by itself. */
  readonly failureShapes?: Readonly<Partial<Record<DeclaredFailure, TSchema>>>;
  /** Content types of status 200, where they are not JSON alone. */
  readonly produces?: readonly string[];
  /** The handler gets the body as bytes: `json` requires the Content-Type, `any` accepts every type (signed payloads). */
  readonly rawBody?: 'json' | 'any';
  /** For the document: the shape of a raw body. */
  readonly rawShape?: TSchema;
  /** The largest body, where it is not 1 MiB. */
  readonly maxBodyMiB?: number;
  /** Failures also have OpenAI's `error`, which clients of its API read. */
  readonly openAiErrors?: true;
  /** Also opened by the key by which an instance’s running process reaches the models. */
  readonly takesLlmKey?: true;
  /** Waits for a permit of this kind of load before its handler runs (platform/load/admission.ts). */
  readonly load?: Load;
  /** Leaves no record of a change: it counts tries, and changes no resource. */
  readonly changesNothing?: true;
  /** An API key is accepted as bearer token, too. */
  readonly bearerKey?: boolean;
  /** A decision of a person, which no language model may take. */
  readonly forPeople?: true;
  /** Traits over MCP. Listed tools have this field; the others are reached by call_operation. */
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
export type ResponsesOf<O> = O extends Operation<infer _P, infer _Q, infer _B, infer R> ? R : never;

/** A body as a value, or as serialized JSON. */
type Body<T> =
  | T
  | JsonText<T>
  | (T extends readonly (infer Item)[] | { items: readonly (infer Item)[] } ? JsonList<Item> : never);

/** A handler's result: a declared status with its declared body. */
export type ReplyOf<O> = {
  [S in keyof ResponsesOf<O> & number]: {
    status: S;
    body: ResponsesOf<O>[S] extends TSchema ? Body<Static<ResponsesOf<O>[S]>> : null;
    headers?: Record<string, string>;
  };
}[keyof ResponsesOf<O> & number];
