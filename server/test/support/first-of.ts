export const firstOf = <T>(all: readonly Promise<T>[], count: number) =>
  new Promise<T[]>((resolve, reject) => {
    const there: T[] = [];
    for (const one of all) one.then((value) => there.push(value) === count && resolve(there.slice()), reject);
  });
