const TTL_MS = Number(process.env.KEY_CACHE_SECONDS) * 1000;

/**
 * The tenants of API keys. With KEY_CACHE_SECONDS above 0 they are remembered so long, as the service does: a revoked key
 * ends in time, and a busy one costs one look-up in that time. With 0 each request looks its key up, as most programs
 * of this kind do. `find(hash)` gives the tenant's id, or undefined.
 */
export function apiKeys(find, hash) {
  if (TTL_MS === 0) return (key) => find(hash(key));
  const known = new Map();
  return async (key) => {
    const remembered = known.get(key);
    if (remembered && remembered.until > Date.now()) return remembered.tenant;
    const tenant = await find(hash(key));
    if (tenant) known.set(key, { tenant, until: Date.now() + TTL_MS });
    return tenant;
  };
}
