export type PathValues = Readonly<Record<string, string | number>>;
export type QueryValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** @returns the address without the slash at its end. Throws TypeError for what no request can be sent to */
export function readBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  // Not repeated in the message, for it may hold a password.
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError('baseUrl is not an http(s) address');
  if (url.username || url.password) throw new TypeError('baseUrl holds a user name: give credentials apart');
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** The address of an operation: its path with the ids put in, and the query of what is given. */
export function addressOf(
  baseUrl: string,
  path: string,
  ids: PathValues = {},
  query: QueryValues = {},
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, ids[name]));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.append(name, String(value));
  }
  return baseUrl + filled + (search.size === 0 ? '' : `?${search}`);
}

/** An empty id, or a dot, would make it another path: the list instead of its row. */
function segment(name: string, value: string | number | undefined): string {
  const text = value === undefined ? '' : String(value);
  if (['', '.', '..'].includes(text))
    throw new TypeError(`${name} is ${JSON.stringify(text)}, which is no id`);
  return encodeURIComponent(text);
}
