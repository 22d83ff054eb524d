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
  | 'instance'
  | 'enrollment'
  | 'operations';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The statuses of success and what their bodies look like; null where there is none. */
export type Responses = Readonly<Record<number, TSchema | null>>;

/** A failure that an operation declares beside those that every operation has. */
export type DeclaredFailure = 400 | 401 | 403 | 404 | 406 | 409 | 412 | 413 | 429 | 500 | 502 | 503;

/**
 * How an operation is offered as a tool over MCP: under its own id and scope. What is not said follows from the method:
 * GET changes nothing, DELETE takes away, PUT and DELETE can be repeated.
 */
export interface ToolTraits {
  /** Changes nothing, although the method is not GET. */
  readonly readOnly?: true;
  /** Takes away what somebody uses or cannot simply get back; a person is asked first where the client can ask. */
  readonly destructive?: true;
  /** Reaches beyond this service and its database. */
  readonly openWorld?: true;
  /** What a model is told in place of the operation's summary and description, where those tell of HTTP. */
  readonly says?: string;
}

/** One operation of the service as data. Routes, validation, OpenAPI, tools and the credential matrix are made from it. */
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
  /** The resource in the documentation. */
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly credential: Credential;
  /** The scope that an API key has to hold; null where none is needed. */
  readonly scope: Scope | null;
  readonly params?: P;
  readonly query?: Q;
  /** `undefined` where the operation takes no body. */
  readonly body?: B;
  readonly responses: R;
  readonly failures?: readonly DeclaredFailure[];
  /** Answers text, HTML or a stream instead of JSON: the content types by status 200. */
  readonly produces?: readonly string[];
  /**
   * The handler gets the body's bytes as they came, unparsed: `json` where Content-Type has to say so, `any` where a
   * signature over them says all that counts.
   */
  readonly rawBody?: 'json' | 'any';
  /** Waits for a permit of this kind of load before its handler runs (platform/load/admission.ts). */
  readonly load?: Load;
  /** An API key may come as bearer token, too. */
  readonly bearerKey?: boolean;
  /** Present where the operation is a tool over MCP. */
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

/** A body as a value, or as JSON that was written already. */
type Body<T> =
  | T
  | JsonText<T>
  | (T extends readonly (infer Item)[] | { items: readonly (infer Item)[] } ? JsonList<Item> : never);

/** What a handler of the operation returns: a declared status with the body declared for it. */
export type ReplyOf<O> = {
  [S in keyof ResponsesOf<O> & number]: {
    status: S;
    body: ResponsesOf<O>[S] extends TSchema ? Body<Static<ResponsesOf<O>[S]>> : null;
    headers?: Record<string, string>;
  };
}[keyof ResponsesOf<O> & number];
