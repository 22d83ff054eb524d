import { created, ok, route } from '../platform/http/handler.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { listTimesheetsOf } from './timesheets.db.ts';
import { addTimesheet } from './timesheets.ts';
import * as contract from './workers.contract.ts';
import { listAssignmentsOf, listShiftsOf } from './workers.db.ts';
import { answerVerification, certificationsOf, getWorker } from './workers.ts';

const MAX_ROWS = 200;

export const workerRoutes = [
  route(contract.listMyAssignments, async ({ q, params, query }) => {
    const { person_id } = await getWorker(q, { ...params, ...query });
    return ok(await q.run(listAssignmentsOf(person_id, MAX_ROWS)));
  }),

  route(contract.listMyCerts, async ({ q, params, query }) => {
    const worker = await getWorker(q, { ...params, ...query });
    return ok(certificationsOf(worker, q.now));
  }),

  route(contract.listMyShifts, async ({ q, params, query }) => {
    const { person_id } = await getWorker(q, { ...params, ...query });
    return ok(await q.run(listShiftsOf(person_id, MAX_ROWS)));
  }),

  route(contract.listMyTimesheets, async ({ q, params, query }) => {
    const { person_id } = await getWorker(q, { ...params, ...query });
    return ok(await q.run(listTimesheetsOf(person_id, MAX_ROWS)));
  }),

  route(contract.createMyTimesheet, async ({ q, params, query, body }) => {
    const { person_id } = await getWorker(q, { ...params, ...query });
    const { date, hours, description = null, job_id = null, rate = null, shift_id = null } = body;
    const timesheet = { date, hours, description, job_id, rate, shift_id };
    return created(await addTimesheet(q, person_id, timesheet));
  }),

  route(contract.verifyWorker, async ({ q, params, query, body }, services: { keyring: Keyring }) => {
    const { response, channel_type, channel_address } = body;
    const address = { ...params, ...query, channel_type, channel_address };
    return ok(await answerVerification(q, services.keyring, address, response));
  }),
];
