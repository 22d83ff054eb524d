/** The revision of the protocol in which each message says all about itself; those before begin with a handshake. */
export const REVISION = '2026-07-28';
