/** Seconds or a date (RFC 9110, section 10.2.3). */
export function retryAfterMs(header: string | null | undefined): number | undefined {
  if (!header) return undefined;
  // Some servers send a fraction, which Date.parse would take for a date.
  if (/^\d{1,9}(\.\d{1,9})?$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
