/** How pages look and listen in this browser: all that is stored, besides the session's cookie. */
export type Scheme = 'system' | 'light' | 'dark';

const SCHEME = 'acp-scheme';
const KEYS = 'acp-keys';

/** Storage may be forbidden, as in private windows: then nothing is kept. */
function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // The choice holds until the page is closed.
  }
}

export const scheme = (): Scheme => (read(SCHEME) as Scheme | null) ?? 'system';

/** Single letters as commands; who dictates or types by eye may want none (WCAG 2.1.4). */
export const hasKeys = (): boolean => read(KEYS) !== 'off';

export const setKeys = (on: boolean): void => write(KEYS, on ? 'on' : 'off');

export function setScheme(to: Scheme): void {
  write(SCHEME, to);
  applyAppearance();
}

export function applyAppearance(): void {
  const chosen = scheme();
  document.documentElement.style.colorScheme = chosen === 'system' ? 'light dark' : chosen;
}
