export { findProxyKeyOwner } from '../db/proxy-keys.ts';
