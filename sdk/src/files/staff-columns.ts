/** Columns of a file of people, in the order in which one is written. */
export const STAFF_COLUMNS = [
  'name',
  'email',
  'phone',
  'role',
  'skills',
  'certifications',
  'inductions',
  'tier',
  'availability_notes',
  'external_id',
] as const;
export type StaffColumn = (typeof STAFF_COLUMNS)[number];
