/** Connection options of pg. */
export interface ConnectionOptions {
  connectionString: string;
  options: string;
}

/**
 * Options for a session that begins with these settings (`name=value`). Options of the URL (`?options=…`) stay in front
 * of ours, so ours win; pg alone would drop ours.
 */
export function connectionOptions(url: string, settings: readonly string[]): ConnectionOptions {
  const ours = settings.map((setting) => `-c ${setting}`).join(' ');
  const [address = '', query = ''] = url.split(/\?(.*)/s, 2);
  const params = new URLSearchParams(query);
  const theirs = params.getAll('options').at(-1);
  if (theirs === undefined) return { connectionString: url, options: ours };
  params.delete('options');
  return {
    connectionString: params.size > 0 ? `${address}?${params.toString()}` : address,
    options: `${theirs} ${ours}`,
  };
}
