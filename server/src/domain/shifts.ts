export { insertShift, listShifts } from '../db/shifts.ts';
