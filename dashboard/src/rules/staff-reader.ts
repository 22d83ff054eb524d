import { readStaffCsv, type StaffFile, StaffFileError } from '@agent-control-plane/sdk/files';

export interface StaffReading {
  file?: StaffFile;
  /** Says why the file as a whole is not read. */
  fault?: string;
}

export function readStaff(bytes: Uint8Array): StaffReading {
  try {
    const file = readStaffCsv(bytes);
    return file.rows.length === 0 ? { fault: 'it names nobody' } : { file };
  } catch (error) {
    if (!(error instanceof StaffFileError)) throw error;
    return { fault: error.hint === undefined ? error.message : `${error.message} (${error.hint})` };
  }
}
