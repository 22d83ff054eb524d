import { EventEmitter, once } from 'node:events';
import { vi } from 'vitest';

/** A place where something waits. `pass` is called there; `reached` resolves when it was, and `goOn` ends the wait. */
export function gate() {
  const emitter = new EventEmitter();
  const [reached, opened] = [once(emitter, 'reached'), once(emitter, 'opened')];
  const pass = async () => {
    emitter.emit('reached');
    await opened;
  };
  return { pass, reached, goOn: () => emitter.emit('opened') };
}

/** Holds the next call of a port's method. @returns when it has been reached, and how to let it go on */
export function holdNext<T extends object>(port: T, method: keyof T & string) {
  const { pass, ...held } = gate();
  const original = port[method] as (...args: unknown[]) => Promise<unknown>;
  vi.spyOn(port as Record<string, typeof original>, method).mockImplementationOnce(async (...args) => {
    await pass();
    return original.apply(port, args);
  });
  return held;
}
