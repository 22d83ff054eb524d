import type { operations } from './generated/operation-shapes.ts';
import type { operations as facts } from './generated/operations.ts';

type Table = typeof facts;

export type OperationId = keyof Table & keyof operations;

export type PagedId = { [Id in OperationId]: Table[Id] extends { items: string } ? Id : never }[OperationId];

type Parameters<Id extends OperationId> = operations[Id]['parameters'];

export type Path<Id extends OperationId> = NonNullable<Parameters<Id>['path']>;

export type Query<Id extends OperationId> = NonNullable<Parameters<Id>['query']>;

export type Body<Id extends OperationId> = JsonOf<NonNullable<operations[Id]['requestBody']>>;

/** A `File` tells its name, too. */
export type FileBody = Blob | Uint8Array<ArrayBuffer>;

type JsonOf<B> = B extends { content: { 'application/json': infer J } }
  ? J
  : B extends { content: { 'application/octet-stream': unknown } }
    ? FileBody
    : never;

type GivenBody<Id extends OperationId> = undefined extends operations[Id]['requestBody']
  ? Body<Id> | undefined
  : Body<Id>;

type ContentOf<R> = R extends { content: infer C }
  ? C extends { 'application/json': infer J }
    ? J
    : C[keyof C]
  : undefined;

type Responses<Id extends OperationId> = operations[Id]['responses'];

/** Undefined without a body. */
export type Result<Id extends OperationId> = ContentOf<Responses<Id>[keyof Responses<Id>]>;

/** One row of a paged list. */
export type Item<Id extends PagedId> = Table[Id] extends { items: infer Field extends string }
  ? Result<Id> extends { [F in Field]: readonly (infer Row)[] }
    ? Row
    : never
  : never;

/** Required, optional or forbidden, as the operation declares it. */
type Part<Name extends string, T, Given = NonNullable<T>> = [Given] extends [never]
  ? { readonly [N in Name]?: undefined }
  : undefined extends T
    ? { readonly [N in Name]?: Given }
    : { readonly [N in Name]: Given };

export type Input<Id extends OperationId> = Part<'path', Parameters<Id>['path']> &
  Part<'query', Parameters<Id>['query']> &
  Part<'body', GivenBody<Id>>;

export interface CallOptions {
  /** Ends the call, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** For one attempt, including its whole response. */
  readonly timeoutMs?: number | undefined;
  readonly retries?: number | undefined;
}

export interface Caller {
  call<Id extends OperationId>(id: Id, input: Input<Id>, options?: CallOptions): Promise<Result<Id>>;
  each<Id extends PagedId>(id: Id, input: Input<Id>, options?: CallOptions): AsyncGenerator<Item<Id>, void>;
}
