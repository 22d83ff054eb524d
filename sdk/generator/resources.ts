import type { Described, Entry } from './document.ts';
import { HEADER } from './header.ts';
import { methodsOf } from './methods.ts';
import { nameOf, pascal } from './names.ts';
import { importOfShapes } from './shapes.ts';

const HEAD = `${HEADER}import type { Body, Caller, CallOptions, Input, Item, OperationId, PagedId, Query, Result } from '../caller.ts';
import { Resource } from '../resource.ts';`;

const TAIL = `
  abstract call<Id extends OperationId>(id: Id, input: Input<Id>, options?: CallOptions): Promise<Result<Id>>;
  abstract each<Id extends PagedId>(id: Id, input: Input<Id>, options?: CallOptions): AsyncGenerator<Item<Id>, void>;
}
`;

export function resourcesText(entries: readonly Entry[], shapes: readonly string[] = []): string {
  const groups = new Map<string, Map<string, string>>();
  for (const { path, operation } of entries) {
    const { group, method } = nameOf(operation);
    const own = groups.get(group) ?? new Map<string, string>();
    groups.set(group, own);
    for (const { name, text } of methodsOf(path, operation, method)) addOnce(own, name, text, operation);
  }
  const classes = [...groups].map(
    ([group, own]) =>
      `export class ${pascal(group)} extends Resource {\n${[...own.values()].join('\n\n')}\n}\n`,
  );
  const fields = [...groups.keys()].map((group) => `  readonly ${group} = new ${pascal(group)}(this);`);
  return `${HEAD}
${importOfShapes(classes.join(), shapes)}
${classes.join('\n')}
/** Every group of operations, by the tags of the API's documentation. */
export abstract class Resources implements Caller {
${fields.join('\n')}
${TAIL}`;
}

function addOnce(own: Map<string, string>, name: string, text: string, { operationId }: Described): void {
  if (own.has(name)) throw new Error(`${operationId} would be the second method ${name} of its group`);
  own.set(name, text);
}
