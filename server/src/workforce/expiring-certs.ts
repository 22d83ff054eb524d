import { daysLeft, expiryOf, toCertification } from './expiry.ts';
import type { StaffRow } from './staff.db.ts';

type ExpiringCertification = Record<string, unknown> & { days_left: number };

/** People with their certifications that end within the days, soonest first (contract, section 6). */
export const withExpiringCerts = <Row extends StaffRow>(
  rows: readonly (Row & { timezone: string })[],
  within_days: number,
  now: Date,
) =>
  rows
    .map(({ timezone, ...staff }) => {
      const all = staff.certifications.map((element): ExpiringCertification => {
        const certification = toCertification(element);
        return { ...certification, days_left: daysLeft(expiryOf(certification), timezone, now) ?? Infinity };
      });
      const expiring = all.filter(({ days_left }) => days_left >= 0 && days_left <= within_days);
      return { ...staff, expiring_certifications: expiring.toSorted((a, b) => a.days_left - b.days_left) };
    })
    .filter(({ expiring_certifications }) => expiring_certifications.length > 0);
