export { insertAssignment, listAssignments } from '../db/assignments.ts';
