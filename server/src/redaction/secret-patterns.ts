import type { StrippedKind } from './save-from-instance.contract.ts';

interface PatternMatch {
  kind: StrippedKind;
  start: number;
  end: number;
}

/** Secrets contain letters and digits, unlike words and numbers; ${NAME} and %NAME% refer to a value elsewhere. */
const labelled = (names: string) => {
  const character = String.raw`[^\s\\"'<>[\],;&#]`;
  return new RegExp(
    String.raw`(?<=(?<![a-z\d])(?:${names})(?:["']?\s{0,2}[:=]|\sis)\s{0,2}["']?)(?![{$%])` +
      String.raw`(?=${character}{0,100}\d)(?=${character}{0,100}[a-z])${character}{5,500}[\w=/+-]`,
    'gi',
  );
};

/** Linear in the text: repetitions are bounded, or cannot start where they can continue. */
const PATTERNS: readonly [StrippedKind, RegExp][] = [
  ['email', /(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]+@[a-z\d](?:[a-z\d-]{0,62}\.){1,8}[a-z]{2,24}/giu],
  // International, with + or 00 (E.164: at most 15 digits); North American; the tel: of links.
  ['phone_number', /(?<![\w+])(?:\+|00)[1-9](?:[\s()./-]{0,3}\d){7,14}(?!\d)/g],
  ['phone_number', /(?<![\w.-])(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}(?![\w-])/g],
  ['phone_number', /(?<=tel:)\+?\d[\d().-]{4,20}/g],
  ['api_key', /(?<![\w-])(?:sk|pk|rk|whsec|acp|apk|ast)[-_](?=[A-Za-z_-]{0,200}\d)[\w-]{12,500}/g],
  [
    'api_key',
    /(?<![\w-])[spr]k[-_](?:live|test|proj)[-_](?:(?=[A-Za-z_-]{0,200}\d)[\w-]{4,500}|[A-Za-z]{16,500})/g,
  ],
  ['api_key', /(?<![\w-])(?:AKIA|ASIA)[A-Z\d]{16}(?!\w)/g],
  [
    'api_key',
    /(?<![\w-])(?:AIza|gh[opsru]_|github_pat_|glpat-|gsk_|hf_|npm_|pplx-|shpat_|xapp-|xox[abeprs]-|ya29\.|1\/\/0|EAA|GOCSPX-)[\w-]{20,500}/g,
  ],
  ['api_key', /(?<![\w-])SG\.[\w-]{16,64}\.[\w-]{16,128}/g],
  // A Telegram bot's token, also after "bot" in URLs.
  ['api_key', /(?<!\d)\d{8,10}:AA[\w-]{30,40}/g],
  // A webhook's address is its only secret.
  ['api_key', /(?<=\/\/hooks\.slack\.com\/(?:services|triggers|workflows)\/)[\w/]{16,200}/g],
  ['api_key', /(?<=\/\/discord(?:app)?\.com\/api\/webhooks\/)\d{8,30}\/[\w-]{16,200}/g],
  ['secret', /(?<![\w-])eyJ[\w-]{10,2000}\.[\w-]{10,8000}\.[\w-]{5,2000}/g],
  ['secret', /(?<=\bbearer )[\w.~+/=-]{20,8000}/gi],
  [
    'credential',
    /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{0,20000}-----END [A-Z ]{0,30}PRIVATE KEY-----/g,
  ],
  ['credential', /(?<=:\/\/)[^\s/:@?#[\]]{1,100}:[^\s/@?#[\]]{1,200}(?=@)/g],
  [
    'api_key',
    /(?<=[?&](?:api[_-]?key|key|token|access[_-]?token|secret|signature|sig|password|pwd)=)[^&\s#"'<>[\]]{4,2000}/gi,
  ],
  ['api_key', labelled('(?:api|access)[ _-]?key')],
  ['secret', labelled('(?:access|api|auth|refresh)[ _-]?token|client[ _-]?secret')],
];

export function* matchPatterns(text: string, kinds: ReadonlySet<StrippedKind>): Generator<PatternMatch> {
  for (const [kind, pattern] of PATTERNS) if (kinds.has(kind)) yield* matches(text, kind, pattern);
}

/** Collected at once, because the shared pattern remembers its position. */
function matches(text: string, kind: StrippedKind, pattern: RegExp): PatternMatch[] {
  const found: PatternMatch[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    found.push({ kind, start: match.index, end: pattern.lastIndex });
  }
  return found;
}
