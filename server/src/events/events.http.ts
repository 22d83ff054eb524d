import { found } from '../platform/errors.ts';
import { accepted, created, noContent, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import { enqueue } from '../platform/queue/jobs.db.ts';
import * as deliveries from './event-deliveries.contract.ts';
import { insertPing, jobOf, listEventDeliveries, redeliver } from './event-deliveries.db.ts';
import * as contract from './event-endpoints.contract.ts';
import {
  deleteEventEndpoint,
  eventEndpointExists,
  findEventEndpoint,
  holdActiveEndpoint,
  listEventEndpoints,
} from './event-endpoints.db.ts';
import {
  createEventEndpoint,
  type EventEndpointServices,
  rotateSigningSecret,
  shownEndpoint,
  updateEventEndpoint,
} from './event-endpoints.ts';

const endpointRoutes = [
  route(contract.listEventEndpoints, async ({ q, query }, services: EventEndpointServices) => {
    const rows = await page(q, query, listEventEndpoints);
    return ok({
      ...rows,
      items: await Promise.all(rows.items.map((row) => shownEndpoint(services, q, row))),
    });
  }),

  route(contract.createEventEndpoint, async ({ q, body }, services: EventEndpointServices) =>
    created(await createEventEndpoint(services, q, body)),
  ),

  route(contract.getEventEndpoint, async ({ q, params }, services: EventEndpointServices) => {
    const row = found('Event endpoint', await q.run(findEventEndpoint(params.event_endpoint_id)));
    return ok(await shownEndpoint(services, q, row));
  }),

  route(contract.updateEventEndpoint, async ({ q, params, body }, services: EventEndpointServices) =>
    ok(await updateEventEndpoint(services, q, params.event_endpoint_id, body)),
  ),

  route(contract.deleteEventEndpoint, async ({ q, params }) => {
    found('Event endpoint', await q.run(deleteEventEndpoint(params.event_endpoint_id)));
    return noContent();
  }),

  route(contract.rotateEventSecret, async ({ q, params, body }, services: EventEndpointServices) =>
    ok(await rotateSigningSecret(services, q, params.event_endpoint_id, body.overlap_seconds)),
  ),
];

const deliveryRoutes = [
  route(deliveries.listEventDeliveries, async ({ q, params, query }) => {
    const of = { endpoint_id: params.event_endpoint_id, status: query.status };
    const list = (limit: number, offset: number) => listEventDeliveries(of, limit, offset);
    return ok(await page(q, query, list, eventEndpointExists(of.endpoint_id)));
  }),

  route(deliveries.redeliverEvent, async ({ q, params }) => {
    const { event_endpoint_id, delivery_id } = params;
    const { row } = await q.run({
      endpoint: holdActiveEndpoint(event_endpoint_id),
      row: redeliver(event_endpoint_id, delivery_id),
      job: enqueue(jobOf(event_endpoint_id)),
    });
    return accepted(found('Delivery', row));
  }),

  route(deliveries.testEventEndpoint, async ({ q, params }) => {
    const { row } = await q.run({
      endpoint: holdActiveEndpoint(params.event_endpoint_id),
      row: insertPing(params.event_endpoint_id),
      job: enqueue(jobOf(params.event_endpoint_id)),
    });
    return accepted(row);
  }),
];

export const eventRoutes = [...endpointRoutes, ...deliveryRoutes];
