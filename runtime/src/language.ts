import { de } from './sentences/de.ts';
import { en, type SentenceKey, type Sentences } from './sentences/en.ts';
import { es } from './sentences/es.ts';
import { fr } from './sentences/fr.ts';
import { it } from './sentences/it.ts';
import { nl } from './sentences/nl.ts';
import { pt } from './sentences/pt.ts';

export const languages: Readonly<Record<string, Sentences>> = { en, de, es, fr, it, nl, pt };

/** By the name of the placeholder. */
type Values = Readonly<Record<string, string | number | undefined>>;

/** The sentences and formats of a customer's locale. Formats are Intl's, but for English, whose dates are ISO. */
export interface Language {
  say: (key: SentenceKey, values?: Values) => string;
  /** `7.5 hours` */
  hours: (count: number) => string;
  /** `12 days` */
  days: (count: number) => string;
  /** @param date YYYY-MM-DD */
  date: (date: string) => string;
  /** `24 November`, with the year if it is not today's. */
  dayInWords: (date: string, today: string) => string;
  /** undefined: as `minuteIn` has it. */
  timeLocale: string | undefined;
}

function createLanguage(sentences: Sentences, locale: string): Language {
  const isEnglish = sentences === en;
  const count = (unit: 'hour' | 'day') => {
    const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
    return (number: number) => format.format(number);
  };
  const day = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'medium' });
  const inWords = { timeZone: 'UTC', day: 'numeric', month: 'long' } as const;
  return {
    say: (key, values = {}) =>
      sentences[key].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? '')),
    hours: count('hour'),
    days: count('day'),
    date: (date) => (isEnglish ? date : day.format(new Date(date))),
    dayInWords: (date, today) => {
      const year = date.slice(0, 4) === today.slice(0, 4) ? undefined : 'numeric';
      return new Intl.DateTimeFormat(locale, { ...inWords, year }).format(new Date(date));
    },
    timeLocale: isEnglish ? undefined : locale,
  };
}

/** A service has the locales of its customers, not of all strangers. */
const maxKept = 100;
const kept = new Map<string, Language>();

const english = createLanguage(en, 'en-GB');

function languageFor(locale: string): Language {
  try {
    const { language, baseName } = new Intl.Locale(locale);
    const sentences = Object.hasOwn(languages, language) ? languages[language] : undefined;
    const isPlain = sentences === undefined || baseName === 'en';
    return isPlain ? english : createLanguage(sentences, baseName);
  } catch {
    return english;
  }
}

/** English for a missing locale, and for one without sentences. */
export function languageOf({ locale }: { locale?: string | undefined }): Language {
  if (locale === undefined) return english;
  const known = kept.get(locale);
  if (known) return known;
  const language = languageFor(locale);
  if (kept.size < maxKept) kept.set(locale, language);
  return language;
}
