import { join } from 'node:path';
import { findFreePort } from '../free-port.ts';
import type { ProcessKey } from './proc.ts';
import { statePathOf } from './state-directory.ts';

/** `internet`: its own, with a proxy to public addresses. */
export type NetworkKind = 'machine' | 'own' | 'internet';

/** How a runtime and the service reach each other. */
export interface Network {
  readonly kind: NetworkKind;
  /** Where the runtime listens. */
  readonly port: number;
  /** Takes the place of what the specification says. */
  readonly environment: Readonly<Record<string, string>>;
  /** The base address of the runtime, with what proves that nobody else answers there: see connections.ts. */
  addressOf(runtime: ProcessKey): string;
  /** The runtime is gone. */
  end(): void;
}

/** Nobody else is in a network of a runtime's own, so its ports are the same for all. */
const HOST = '127.0.0.1';
const PORTS = { runtime: 8700, http: 8080, mtls: 8443, internet: 3128 };
const HTTP_URL = `http://${HOST}:${PORTS.http}`;

/** The end of a runtime's socket in STATE_DIR (wire.mjs). */
const SOCKET = 'runtime.sock';

/** The network of the machine, where the runtime listens at a port that is free now. */
export const findMachineNetwork = async (): Promise<Network> => machineNetwork(await findFreePort());

/** The network of the machine, where the runtime listens at a port. */
export const machineNetwork = (port: number): Network => ({
  kind: 'machine',
  port,
  environment: { HOST, PORT: String(port) },
  addressOf: ({ pid, startTime }) => `http://${HOST}:${port}#${pid}.${startTime}`,
  end: () => {},
});

/** A network of the runtime's own: it and the service meet at sockets in directories that only they have. */
export function ownNetwork(
  { dataDir, instance_id, hasInternet }: { dataDir: string; instance_id: string; hasInternet: boolean },
  given: Readonly<Record<string, string>>,
  end: () => void,
): Network {
  const socket = join(statePathOf(dataDir, instance_id), SOCKET);
  const path = socket.split('/').map(encodeURIComponent).join('/');
  return {
    kind: hasInternet ? 'internet' : 'own',
    port: PORTS.runtime,
    environment: {
      HOST,
      PORT: String(PORTS.runtime),
      CONTROL_PLANE_URL: HTTP_URL,
      CONTROL_PLANE_MTLS_URL: `https://${HOST}:${PORTS.mtls}`,
      ...(given.LLM_BASE_URL && { LLM_BASE_URL: HTTP_URL + new URL(given.LLM_BASE_URL).pathname }),
      ...(hasInternet && proxyEnvironment),
    },
    addressOf: () => `http://${HOST}:${PORTS.runtime}#${path}`,
    end,
  };
}

const PROXY_URL = `http://${HOST}:${PORTS.internet}`;
/** Programs differ in which they read. Node.js looks at them only when it is asked to. */
const proxyEnvironment = {
  HTTP_PROXY: PROXY_URL,
  HTTPS_PROXY: PROXY_URL,
  http_proxy: PROXY_URL,
  https_proxy: PROXY_URL,
  NO_PROXY: `${HOST},localhost`,
  no_proxy: `${HOST},localhost`,
  NODE_USE_ENV_PROXY: '1',
};
