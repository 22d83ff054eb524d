export {
  checkStaffFields,
  ENCODING_HINT,
  readStaffCsv,
  type StaffFault,
  type StaffFile,
  StaffFileError,
  type StaffRow,
  withoutRepeats,
} from './staff.ts';
export { STAFF_COLUMNS, type StaffColumn } from './staff-columns.ts';
export { type Decoded, decodeText } from './text.ts';
