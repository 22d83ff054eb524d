/** ITU-T E.164 has 15 digits at most. Channels write a number without its plus, people with it. */
const NUMBER = /^(\+?)(\d{7,15})$/;

/** The spellings of a channel address: as given, and a phone number also with its plus or without. */
export function spellingsOf(address: string): string[] {
  const [, plus, digits] = NUMBER.exec(address) ?? [];
  if (digits === undefined) return [address];
  return [address, plus ? digits : `+${digits}`];
}
