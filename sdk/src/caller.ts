import type { operations } from './generated/operation-shapes.ts';
import type { operations as facts } from './generated/operations.ts';

type Table = typeof facts;

/** The operationIds of the API. */
export type OperationId = keyof Table & keyof operations;

/** Those whose answer is a page of a longer list. */
export type PagedId = { [Id in OperationId]: Table[Id] extends { items: string } ? Id : never }[OperationId];

type Parameters<Id extends OperationId> = operations[Id]['parameters'];

/** The ids in the operation's path. */
export type Path<Id extends OperationId> = NonNullable<Parameters<Id>['path']>;

export type Query<Id extends OperationId> = NonNullable<Parameters<Id>['query']>;

/** The JSON that the operation takes. */
export type Body<Id extends OperationId> = JsonOf<NonNullable<operations[Id]['requestBody']>>;

type JsonOf<B> = B extends { content: { 'application/json': infer J } } ? J : never;

/** The same, undefined too where it may be left out. */
type GivenBody<Id extends OperationId> = undefined extends operations[Id]['requestBody']
  ? Body<Id> | undefined
  : Body<Id>;

type ContentOf<R> = R extends { content: infer C }
  ? C extends { 'application/json': infer J }
    ? J
    : C[keyof C]
  : undefined;

type Responses<Id extends OperationId> = operations[Id]['responses'];

/** What the operation answers when it succeeds; undefined where it has no body. */
export type Result<Id extends OperationId> = ContentOf<Responses<Id>[keyof Responses<Id>]>;

/** One row of a list that pages. */
export type Item<Id extends PagedId> = Table[Id] extends { items: infer Field extends string }
  ? Result<Id> extends { [F in Field]: readonly (infer Row)[] }
    ? Row
    : never
  : never;

/** Something that may be missing, must be there, or has no place, as the operation has it. */
type Part<Name extends string, T, Given = NonNullable<T>> = [Given] extends [never]
  ? { readonly [N in Name]?: undefined }
  : undefined extends T
    ? { readonly [N in Name]?: Given }
    : { readonly [N in Name]: Given };

export type Input<Id extends OperationId> = Part<'path', Parameters<Id>['path']> &
  Part<'query', Parameters<Id>['query']> &
  Part<'body', GivenBody<Id>>;

export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** How long one attempt may take, its whole answer included. */
  readonly timeoutMs?: number | undefined;
  /** How often a refused or lost attempt is made again; 0 for never. */
  readonly retries?: number | undefined;
}

/** What the groups of operations call. */
export interface Caller {
  call<Id extends OperationId>(id: Id, input: Input<Id>, options?: CallOptions): Promise<Result<Id>>;
  each<Id extends PagedId>(id: Id, input: Input<Id>, options?: CallOptions): AsyncGenerator<Item<Id>, void>;
}
