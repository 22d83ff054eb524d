import { findFile } from './find-file.ts';
import { help } from './help.ts';
import { logHours } from './log-hours.ts';
import { myAssignments } from './my-assignments.ts';
import { myCerts } from './my-certs.ts';
import { myShifts } from './my-shifts.ts';
import { myTimesheets } from './my-timesheets.ts';
import { readFile } from './read-file.ts';
import { setPin } from './set-pin.ts';
import { talkToAPerson } from './talk-to-a-person.ts';
import type { Tool } from './tool.ts';
import { verify } from './verify.ts';
import { whoCan } from './who-can.ts';
import { writeFirst } from './write-first.ts';

/** In the order of the help. */
export const tools: readonly Tool[] = [
  whoCan,
  myShifts,
  myAssignments,
  myCerts,
  logHours,
  myTimesheets,
  findFile,
  readFile,
  verify,
  setPin,
  talkToAPerson,
  writeFirst,
  help,
];
