import { expect, it } from 'vitest';
import { BoundedMap } from '../src/bounded-map.ts';

it('keeps an entry for its time, and no longer where the clock was set back', () => {
  let time = 86_400_000;
  const map = new BoundedMap<string>(10, () => time);
  map.set('for a while', 'a', 1000);
  map.set('for ever', 'b');
  time += 999;
  expect(map.get('for a while')).toBe('a');
  time -= 86_400_000;
  expect(map.get('for a while')).toBeUndefined();
  expect(map.get('for ever')).toBe('b');
});
