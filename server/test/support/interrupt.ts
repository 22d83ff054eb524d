import type { TestService } from './service.ts';

/** Rolls back every transaction of the service after its work, like a kill. @returns a function that restores it */
export function interruptTransactions(
  { service }: TestService,
  when: 'before the commit' | 'after the commit',
): () => void {
  const { db } = service.services;
  const transaction = db.transaction.bind(db);
  db.transaction = async (scope, work) => {
    const result = await transaction(scope, async (tx) => {
      const done = await work(tx);
      if (when === 'before the commit') throw new Error('killed');
      return done;
    });
    if (when === 'after the commit') throw new Error('killed');
    return result;
  };
  return () => Reflect.deleteProperty(db, 'transaction');
}
