import { amICleared } from './am-i-cleared.ts';
import { findFile } from './find-file.ts';
import { help } from './help.ts';
import { logHours } from './log-hours.ts';
import { mayWork } from './may-work.ts';
import { myAssignments } from './my-assignments.ts';
import { myCerts } from './my-certs.ts';
import { myShifts } from './my-shifts.ts';
import { myTimesheets } from './my-timesheets.ts';
import { offerChoices } from './offer-choices.ts';
import { readFile } from './read-file.ts';
import { setPin } from './set-pin.ts';
import { talkToAPerson } from './talk-to-a-person.ts';
import type { Tool } from './tool.ts';
import { verify } from './verify.ts';
import { whoCan } from './who-can.ts';
import { whoMayWork } from './who-may-work.ts';
import { writeFirst } from './write-first.ts';

/** In the order of the help. */
export const tools: readonly Tool[] = [
  whoCan,
  whoMayWork,
  mayWork,
  myShifts,
  myAssignments,
  myCerts,
  logHours,
  myTimesheets,
  amICleared,
  findFile,
  readFile,
  verify,
  setPin,
  offerChoices,
  talkToAPerson,
  writeFirst,
  help,
];
