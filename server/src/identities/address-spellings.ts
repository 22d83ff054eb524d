/** ITU-T E.164 has 15 digits at most. Channels write it without its plus, people with it. */
const NUMBER = /^(\+?)(\d{7,15})$/;

/** An address of a channel as it may be written down: as given, and a phone number with its plus or without. */
export function spellingsOf(address: string): string[] {
  const [, plus, digits] = NUMBER.exec(address) ?? [];
  if (digits === undefined) return [address];
  return [address, plus ? digits : `+${digits}`];
}
