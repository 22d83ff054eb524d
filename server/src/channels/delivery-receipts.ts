import type { ResolvedReceipt } from '../conversations/sent-messages.db.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { storableText } from '../platform/json/storable-json.ts';
import { at, idOf, objects } from './payload-json.ts';

/** The channel's status of a message that we sent. */
export interface DeliveryReceipt {
  phone_number_id: string;
  /** Our id of the message, which the channel returns; null when it does not. */
  id: string | null;
  /** The address that it was sent to. */
  recipient: string | null;
  /** The channel's id of the message or part. */
  channel_id: string;
  status: ResolvedReceipt['status'];
  error: string | null;
}

const MAX_ERROR_LENGTH = 300;
const RECEIPT_STATUSES = ['sent', 'delivered', 'read', 'failed'] as const;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Empty for other statuses. */
export function receiptOf(
  phone_number_id: string,
  {
    id: channel_id,
    status,
    biz_opaque_callback_data: own_id,
    recipient_id,
    recipient_user_id,
    errors,
  }: JsonObject,
): DeliveryReceipt[] {
  const known = RECEIPT_STATUSES.find((name) => name === status);
  if (!known) return [];
  const id = typeof own_id === 'string' && UUID.test(own_id) ? own_id : null;
  return [
    {
      phone_number_id,
      id,
      recipient: idOf(recipient_id) ?? idOf(recipient_user_id) ?? null,
      channel_id: idOf(channel_id) ?? '',
      status: known,
      error: known === 'failed' ? (reasonIn(errors) ?? 'The channel failed it') : null,
    },
  ];
}

/** The channel's codes and words. */
export function reasonIn(errors: unknown): string | null {
  const reasons = objects(errors).map((error) =>
    [error.code, error.title ?? error.message, at(error, 'error_data', 'details')].filter(Boolean).join(' '),
  );
  return reasons.length > 0 ? storableText(reasons.join('; ').slice(0, MAX_ERROR_LENGTH)) : null;
}
