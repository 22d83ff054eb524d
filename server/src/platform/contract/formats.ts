import { fullFormats } from 'ajv-formats/dist/formats.js';
import { countries } from 'countries-list';
import { readNamedEnd } from './named-ends.ts';

type Check = (text: string) => boolean;

const full = fullFormats as unknown as Record<string, { validate: Check } | Check | RegExp>;

function standard(name: string): Check {
  const format = full[name];
  if (format instanceof RegExp) return (text) => format.test(text);
  return typeof format === 'function' ? format : (format as { validate: Check }).validate;
}

const date = standard('date');
const dateTime = standard('date-time');
const email = standard('email');
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** ISO 4217 codes that Intl lacks: units of account, metals, and Venezuela's second bolívar. */
const UNITS = 'BOV CHE CHW CLF COU MXV USN UYI UYW VED XAG XAU XBA XBB XBC XBD XPD XPT XSU XUA';
const currencies = new Set([...Intl.supportedValuesOf('currency'), ...UNITS.split(' ')]);

export const isUuid: Check = (text) => UUID.test(text);

/** Intl constructors throw a RangeError for invalid text. */
const accepts =
  (make: (text: string) => unknown): Check =>
  (text) => {
    try {
      make(text);
      return true;
    } catch {
      return false;
    }
  };

const languageTag = accepts((text) => new Intl.Locale(text));
const timeZone = accepts((timeZone) => new Intl.DateTimeFormat('en', { timeZone }));

/**
 * Accepted by Intl, but not in IANA's list: Java's abbreviations and withdrawn names. PostgreSQL rejects most and reads
 * some as other offsets (IST: Israel's instead of India's).
 */
const NOT_IANA = new Set(
  (
    'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST ' +
    'US/PACIFIC-NEW CANADA/EAST-SASKATCHEWAN'
  ).split(' '),
);
const isIana: Check = (name) => !NOT_IANA.has(name.toUpperCase()) && !/^SystemV\//i.test(name);

/** Intl parses language tags in quadratic time. */
const MAX_LOCALE_LENGTH = 255;

/** URL parses host names in quadratic time. */
const MAX_URL_LENGTH = 1000;

/** A date, or a time with an optional offset. PostgreSQL requires offsets below 16 hours. */
const DAY_OR_TIME =
  /^\d{4}-\d\d-\d\d([Tt ]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?([Zz]|[+-](0\d|1[0-5]):[0-5]\d)?)?$/;

const isDayOrTime: Check = (text) =>
  DAY_OR_TIME.test(text) && date(text.slice(0, 10)) && !text.startsWith('0000');

/** Published in the document, because other tools do not know our formats. The validation may be stricter. */
export const formatPatterns: Readonly<Record<string, string>> = {
  expiry: DAY_OR_TIME.source,
  'day-or-time': DAY_OR_TIME.source,
  'named-end': '^([^:]*|.+:[ \\t]*\\d{1,4}[-./]\\d{1,2}[-./]\\d{1,4}[ \\t]*)$',
  'country-code': '^[A-Z]{2}$',
  'currency-code': '^[A-Z]{3}$',
  'time-zone': '^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$',
  'http-url': '^\\s*[Hh][Tt][Tt][Pp][Ss]?:',
  locale: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$',
};

/** Offsets that PostgreSQL rejects, and times whose offset moves them out of years with four digits. */
const OUT_OF_REACH = /[+-](?:1[6-9]|2\d)(?::?\d\d)?$|^0001-01-01.+\+|^9999-12-31.+-/;

/** JSON Schema formats of requests. PostgreSQL has no year 0. */
export const formats: Record<string, Check> = {
  uuid: isUuid,
  date: (text) => date(text) && !text.startsWith('0000'),
  'date-time': (text) => dateTime(text) && !text.startsWith('0000') && !OUT_OF_REACH.test(text),
  /** End of a certification or an induction. */
  expiry: isDayOrTime,
  'day-or-time': isDayOrTime,
  /** A name, or one with its end behind the last colon. */
  'named-end': (text) => readNamedEnd(text) !== undefined,
  email,
  /** ISO 3166-1 alpha-2 */
  'country-code': (text) => Object.hasOwn(countries, text),
  /** ISO 4217 except codes for tests and for no currency. */
  'currency-code': (text) => currencies.has(text),
  /** IANA; not a bare offset. */
  'time-zone': (text) => /^[A-Za-z]/.test(text) && isIana(text) && timeZone(text),
  /** A base URL. */
  'http-url': (text) =>
    text.length <= MAX_URL_LENGTH && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
  /** BCP 47 */
  locale: (text) => text.length <= MAX_LOCALE_LENGTH && languageTag(text),
};
