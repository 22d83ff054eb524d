/** What pg is told of a connection: where, and with which settings its session begins. */
export interface Session {
  connectionString: string;
  options: string;
}

/**
 * A session at `url` that begins with these settings (`name=value`). Options that the URL brings (`?options=…`) stay, in
 * front of ours, so that ours count: pg by itself takes a URL's in place of those that it is given.
 */
export function sessionAt(url: string, settings: readonly string[]): Session {
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
