import { isObject } from './recipe-patch.ts';
import { sentence } from './words.ts';

/** A certificate of a person, or a site that the person was introduced to. */
export interface Proof {
  name: string;
  /** A day, or empty: it does not end. */
  ends: string;
  /** As it is stored, with fields of its own. */
  stored?: unknown;
}

export type ProofKind = 'type' | 'site';

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

export function readProof(kind: ProofKind, stored: unknown): Proof {
  if (!isObject(stored)) return { name: textIn(stored), ends: '', stored };
  return {
    name: textIn(stored[kind] ?? stored.name),
    ends: textIn(stored.expires_at).slice(0, 10),
    stored,
  };
}

/** For the request: what nobody touched goes back as it was. */
export function proofOf(kind: ProofKind, { name, ends, stored }: Proof): string | Record<string, unknown> {
  const before = stored === undefined ? undefined : readProof(kind, stored);
  const [label, end] = [name.trim(), ends || null];
  if (isObject(stored)) {
    const isSame = before?.name === label && before.ends === ends;
    if (isSame) return stored;
    const labelled = typeof stored[kind] === 'string' || typeof stored.name !== 'string' ? kind : 'name';
    return { ...stored, [labelled]: label, expires_at: end };
  }
  return end === null ? label : { [kind]: label, expires_at: end };
}

/** The certificate that ends first; undefined where none ends. */
export const firstToEnd = (certifications: readonly unknown[]): Proof | undefined =>
  certifications
    .map((each) => readProof('type', each))
    .filter(({ ends }) => ends !== '')
    .toSorted((a, b) => a.ends.localeCompare(b.ends))[0];

/** The words that name a certificate to people: its name, else its type. */
export const certificateName = (certification: Readonly<Record<string, unknown>>): string =>
  textIn(certification.name) ||
  sentence(readProof('type', certification).name) ||
  'Certificate without a name';

/** "today", "tomorrow", "in 9 days". */
export const daysLeftWords = (days: number): string =>
  days <= 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`;
