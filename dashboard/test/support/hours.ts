import { randomInt } from 'node:crypto';
import type { ControlPlane } from '@agent-control-plane/sdk';
import { expect } from 'vitest';
import type { House } from './house.ts';

interface Place {
  house: House;
  acp: ControlPlane;
  customer_id: string;
  instance_id: string;
}

export interface Told {
  date: string;
  hours: number;
  description: string;
}

/** Binds the address to the person, who verifies it and tells the hours. */
export async function tellHoursAs(
  { house, acp, customer_id, instance_id }: Place,
  { person_id, address, display_name }: { person_id: string; address: string; display_name?: string },
  told: readonly Told[],
): Promise<void> {
  const binding = { channel_type: 'chatapp', channel_address: address } as const;
  const worker = `/internal/v1/instances/${instance_id}/worker`;
  await acp.call('create_identity', {
    path: { customer_id },
    body: { channel: 'chatapp', external_id: address, verified: true, ...(display_name && { display_name }) },
  });
  await acp.staff.createBinding(customer_id, person_id, binding);
  await house.operations.post(`${worker}/verify`, { ...binding, response: 'yes' });
  for (const timesheet of told) {
    const { status, text } = await house.operations.post(
      `${worker}/me/timesheet?channel_type=chatapp&channel_address=${address}`,
      timesheet,
    );
    expect(status, text).toBe(201);
  }
}

/** A new person of the customer's staff who has told these hours, each of another day. @returns the person's id */
export async function tellHours(place: Place, name: string, ...hours: number[]): Promise<string> {
  const { id } = await place.acp.staff.createCustomerStaff(place.customer_id, { name });
  const address = `614${randomInt(10_000_000, 99_999_999)}`;
  const told = hours.map((each, nth) => ({
    date: `2026-01-0${nth + 5}`,
    hours: each,
    description: 'Stocktaking',
  }));
  await tellHoursAs(place, { person_id: id, address }, told);
  return id;
}
