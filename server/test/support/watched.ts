import type { Queryable } from '../../src/platform/db/queryable.ts';
import type { Statement } from '../../src/platform/db/sql.ts';

/** `look` sees each statement before it is sent, and may throw instead. */
export function watched<Q extends Queryable>(q: Q, look: (statement: Statement) => void): Q {
  return new Proxy(q, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key, target);
      if (typeof member !== 'function') return member;
      const method = member.bind(target) as (...args: unknown[]) => unknown;
      if (key !== 'run' && key !== 'runAll' && key !== 'rows') return method;
      return async (...args: unknown[]) => {
        for (const statement of args.flat()) look(statement as Statement);
        return await method(...args);
      };
    },
  });
}
