/** Serves runtimes that have a network of their own, at sockets instead of addresses. */
export interface RuntimeDoors {
  /**
   * Serves one runtime the routes for runtimes, at two Unix sockets that it makes: in clear, and with TLS.
   * @returns closes and removes them
   */
  open(paths: { http: string; mtls: string }): Promise<() => Promise<void>>;
}
