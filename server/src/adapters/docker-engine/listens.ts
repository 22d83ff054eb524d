import { connect } from 'node:net';

/** True when somebody listens there. */
export function listens(host: string, port: number, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (isListening: boolean) => {
      socket.destroy();
      resolve(isListening);
    };
    socket.setTimeout(timeoutMs, () => end(false));
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
