import { describe, expect, it } from 'vitest';
import { GroupCommit } from './group-commit.ts';

/** The test ends the writes. */
function heldGroups({ atOnce = 1, maxWeight = 100, isItemError = (_: unknown) => false } = {}) {
  const written: string[][] = [];
  const ends: ((error?: Error) => void)[] = [];
  const groups = new GroupCommit<string, string>(
    (items) =>
      new Promise((resolve, reject) => {
        written.push([...items]);
        ends.push((error) => (error ? reject(error) : resolve(items.map((item) => item.toUpperCase()))));
      }),
    { atOnce, maxWeight },
    isItemError,
  );
  /** Ends the oldest write and waits for its effects. */
  const end = async (error?: Error) => {
    ends.shift()?.(error);
    await turn();
  };
  return { groups, written, end };
}

const turn = async () => {
  for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve));
};

describe('groups', () => {
  it('write the first item immediately and later ones as one group, in order', async () => {
    const { groups, written, end } = heldGroups();
    const first = groups.add('a');
    await turn();
    const others = ['b', 'c', 'd'].map((item) => groups.add(item));
    await turn();
    expect(written).toEqual([['a']]);
    await end();
    expect(await first).toBe('A');
    expect(written).toEqual([['a'], ['b', 'c', 'd']]);
    await end();
    expect(await Promise.all(others)).toEqual(['B', 'C', 'D']);
    void groups.add('e');
    await turn();
    expect(written).toHaveLength(3);
  });

  it('resolve an item only after its own write', async () => {
    const { groups, end } = heldGroups({ atOnce: 2 });
    const done: string[] = [];
    for (const item of ['a', 'b', 'c']) {
      void groups.add(item).then((result) => done.push(result));
      await turn();
    }
    expect(done).toEqual([]);
    await end();
    expect(done).toEqual(['A']);
    await end();
    expect(done).toEqual(['A', 'B']);
    await end();
    expect(done).toEqual(['A', 'B', 'C']);
  });

  it('are limited in parallel', async () => {
    const { groups, written, end } = heldGroups({ atOnce: 2 });
    for (const item of ['a', 'b', 'c', 'd']) {
      void groups.add(item);
      await turn();
    }
    expect(written).toEqual([['a'], ['b']]);
    await end();
    expect(written).toEqual([['a'], ['b'], ['c', 'd']]);
  });

  it('are limited in weight; an item as heavy as a group does not wait', async () => {
    const { groups, written, end } = heldGroups({ maxWeight: 10 });
    void groups.add('a');
    await turn();
    for (const weight of [4, 6, 5, 9]) void groups.add(String(weight), weight);
    void groups.add('huge', 10);
    await turn();
    expect(written).toEqual([['a'], ['huge']]);
    for (let writes = 0; writes < 4; writes++) await end();
    expect(written.slice(2)).toEqual([['4', '6'], ['5'], ['9']]);
  });

  it('are halved when one item may be at fault, so that only it fails', async () => {
    const groups = new GroupCommit<string, string>(
      async (items) => {
        await turn();
        if (items.includes('bad')) throw new Error('refused');
        return items.map((item) => item.toUpperCase());
      },
      { atOnce: 1, maxWeight: 100 },
      (error) => (error as Error).message === 'refused',
    );
    const items = ['a', 'b', 'bad', 'c', 'd', 'bad', 'e'];
    const results = await Promise.allSettled(items.map((item) => groups.add(item)));
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual(
      items.map((item) => (item === 'bad' ? 'failed' : item.toUpperCase())),
    );
  });

  it('fail as a whole for other errors, without stopping later groups', async () => {
    const { groups, written, end } = heldGroups();
    const results = Promise.allSettled(['a', 'b'].map((item) => groups.add(item)));
    await turn();
    const next = groups.add('c');
    await end(new Error('no connection'));
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await end();
    expect(await next).toBe('C');
    expect(written).toEqual([['a', 'b'], ['c']]);
  });
});
