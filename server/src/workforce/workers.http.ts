import { created, ok, route } from '../platform/http/handler.ts';
import type { Services } from '../services.ts';
import { addTimesheet } from './timesheets.ts';
import * as contract from './workers.contract.ts';
import {
  answerVerification,
  assignmentsOf,
  certificationsOf,
  getWorker,
  shiftsOf,
  timesheetsOf,
} from './workers.ts';

export const workerRoutes = [
  route(contract.listMyAssignments, async ({ q, params, query }, services: Services) => {
    const worker = await getWorker(q, { ...params, ...query });
    return ok(await assignmentsOf(q, worker, services.clock()));
  }),

  route(contract.listMyCerts, async ({ q, params, query }, services: Services) => {
    const worker = await getWorker(q, { ...params, ...query });
    return ok(certificationsOf(worker, services.clock()));
  }),

  route(contract.listMyShifts, async ({ q, params, query }, services: Services) => {
    const worker = await getWorker(q, { ...params, ...query });
    return ok(await shiftsOf(q, worker, services.clock()));
  }),

  route(contract.listMyTimesheets, async ({ q, params, query }) => {
    const worker = await getWorker(q, { ...params, ...query });
    return ok(await timesheetsOf(q, worker));
  }),

  route(contract.createMyTimesheet, async ({ q, params, query, body }, services: Services) => {
    const { person_id } = await getWorker(q, { ...params, ...query });
    const { date, hours, description = null, job_id = null, rate = null, shift_id = null } = body;
    const timesheet = { date, hours, description, job_id, rate, shift_id };
    return created(await addTimesheet(q, person_id, timesheet, services.clock()));
  }),

  route(contract.verifyWorker, async ({ q, params, body }, services: Services) => {
    const { response, channel_type, channel_address } = body;
    const address = { ...params, channel_type, channel_address };
    return ok(await answerVerification(q, services.keyring, address, response, services.clock()));
  }),
];
