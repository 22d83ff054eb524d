const TTL_MS = 1000;

/**
 * The tenants of API keys, remembered for a second as the service does: a revoked key ends in time, and a busy one
 * costs one look-up a second. `find(hash)` gives the tenant's id, or undefined.
 */
export function rememberKeys(find, hash) {
  const known = new Map();
  return async (key) => {
    const remembered = known.get(key);
    if (remembered && remembered.until > Date.now()) return remembered.tenant;
    const tenant = await find(hash(key));
    if (tenant) known.set(key, { tenant, until: Date.now() + TTL_MS });
    return tenant;
  };
}
