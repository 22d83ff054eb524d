import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js';
import { spellingsOf } from './address-spellings.ts';

/** The channel whose phone numbers people write in any usual spelling (contract, section 13). */
const PHONE_CHANNEL = 'chatapp';
const PREFIX = /^whatsapp:/i;
/** Digits with the usual separators. Everything else is an id of the channel, or a name. */
const SPELLED = /^[+\d\s()./\-\u2010-\u2015]+$/;
/** As the channel writes a number. */
const PLAIN = /^[1-9]\d{6,14}$/;
const MAX_LENGTH = 64;

/**
 * The digits of a phone number with its country code, as the channel writes it. A number without country code is one of
 * `country` (ISO 3166-1) if it has a leading 0. undefined for any other text.
 */
export function numberIn(address: string, country: string | null): string | undefined {
  const text = address.replace(PREFIX, '').trim();
  if (text.length > MAX_LENGTH || !SPELLED.test(text)) return undefined;
  const compact = text.replaceAll(/[^\d+]/g, '').replace(/^00/, '+');
  if (PLAIN.test(text)) return text;
  if (compact.startsWith('+')) return international(compact);
  if (country === null || !isSupportedCountry(country)) return undefined;
  if (compact.startsWith('0')) return national(compact, country);
  // Separators stand for a person, who may leave the plus out before the own country code.
  const number = parsePhoneNumberFromString(`+${compact}`);
  return number?.isValid() && number.country === country ? digitsOf(number.number) : undefined;
}

function international(compact: string): string | undefined {
  const number = parsePhoneNumberFromString(compact);
  const digits = digitsOf(number?.isValid() ? number.number : compact);
  return PLAIN.test(digits) ? digits : undefined;
}

function national(compact: string, country: CountryCode): string | undefined {
  const number = parsePhoneNumberFromString(compact, country);
  return number?.isPossible() ? digitsOf(number.number) : undefined;
}

const digitsOf = (number: string): string => number.replace('+', '');

/** The one spelling by which an address is found. SQL has the same rule for what a channel writes (`address_key`). */
export function addressKey(channel: string, address: string, country: string | null): string {
  const number = channel === PHONE_CHANNEL ? numberIn(address, country) : undefined;
  const plain = spellingsOf(number ?? address).filter((spelling) => !spelling.startsWith('+'));
  return plain.reduce(
    (shortest, one) => (one.length < shortest.length ? one : shortest),
    plain[0] ?? address,
  );
}

/** Everything that a stored address may be found by, the given spelling first. @param countries of the customers */
export function matchesOf(
  channel: string,
  address: string,
  countries: readonly (string | null)[] = [],
): string[] {
  const numbers =
    channel === PHONE_CHANNEL
      ? [null, ...countries].flatMap((country) => numberIn(address, country) ?? [])
      : [];
  return [...new Set([address, ...numbers].flatMap(spellingsOf))];
}

/** True where the customer's country decides which number it is. */
export const needsCountry = (channel: string, address: string): boolean =>
  channel === PHONE_CHANNEL &&
  numberIn(address, null) === undefined &&
  SPELLED.test(address.replace(PREFIX, '').trim());
