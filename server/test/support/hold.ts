import { EventEmitter, once } from 'node:events';
import { vi } from 'vitest';

/** `pass` waits for `goOn`; `reached` resolves when `pass` was called. */
export function gate() {
  const emitter = new EventEmitter();
  const [reached, opened] = [once(emitter, 'reached'), once(emitter, 'opened')];
  const pass = async () => {
    emitter.emit('reached');
    await opened;
  };
  return { pass, reached, goOn: () => emitter.emit('opened') };
}

export function holdNext<T extends object>(port: T, method: keyof T & string) {
  const { pass, ...held } = gate();
  const original = port[method] as (...args: unknown[]) => Promise<unknown>;
  vi.spyOn(port as Record<string, typeof original>, method).mockImplementationOnce(async (...args) => {
    await pass();
    return original.apply(port, args);
  });
  return held;
}
