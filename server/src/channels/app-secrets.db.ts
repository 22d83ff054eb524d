import { fragment, NOW, sql } from '../platform/db/sql.ts';
import type { Channel } from './channel-endpoints.contract.ts';

// Statements of the system scope: before its signature is verified, a payload belongs to no tenant.

/** An app secret with the endpoint that it is sealed for. */
export interface SealedAppSecret {
  id: string;
  tenant_id: string;
  app_secret_hash: Buffer;
  sealed_app_secret: Buffer;
  /** `verified_at` is older than a minute, so it should be updated. */
  is_due: boolean;
}

const sealed = fragment('e.id, e.tenant_id, e.app_secret_hash, e.sealed_app_secret');
/** Most recently verified secrets first, then the newest, because their owners are about to try them. */
const LAST_VERIFIED = fragment('max(verified_at) desc nulls last, max(created_at) desc, app_secret_hash');
const A_MINUTE = fragment(`interval '1 minute'`);
const MAX_ACCOUNTS = fragment('20');

/**
 * Endpoints of these numbers with one of the `most` likeliest secrets, in the order in which to try them. If several
 * endpoints of a number have the same secret, only the oldest is listed.
 */
export const listEndpointsOfNumbers = (channel: Channel, phone_number_ids: readonly string[], most: number) =>
  sql<SealedAppSecret & { phone_number_id: string; place: number }>`
    select distinct on (e.phone_number_id, e.app_secret_hash) ${sealed}, e.phone_number_id, s.place,
           coalesce(e.verified_at < ${NOW}::timestamptz - ${A_MINUTE}, true) as is_due
    from channel_endpoints e
    join (
      select app_secret_hash, row_number() over (order by ${LAST_VERIFIED})::int as place from channel_endpoints
      where channel = ${channel} and phone_number_id = any(${phone_number_ids}::text[])
      group by app_secret_hash order by place limit ${most}) s using (app_secret_hash)
    where e.channel = ${channel} and e.phone_number_id = any(${phone_number_ids}::text[])
    order by e.phone_number_id, e.app_secret_hash, e.created_at, e.id`.map((rows) =>
    rows.toSorted((one, other) => one.place - other.place),
  );

/** The `most` secrets that verified payloads of these business accounts most recently. */
export const listSecretsOfAccounts = (channel: Channel, account_ids: readonly string[], most: number) =>
  sql<SealedAppSecret>`
    select ${sealed}, e.verified_at < ${NOW}::timestamptz - ${A_MINUTE} as is_due
    from (
      select distinct on (app_secret_hash) * from channel_endpoints
      where channel = ${channel} and business_account_ids && ${account_ids}::text[] and verified_at is not null
      order by app_secret_hash, verified_at desc) e
    order by e.verified_at desc limit ${most}`;

/**
 * The `most` secrets of any account that verified most recently, then the newest. Steps along an index from one secret to
 * the next: there may be many secrets, and many endpoints with the same one.
 */
export const listLatestSecrets = (channel: Channel, most: number) =>
  sql<SealedAppSecret>`
    with recursive latest as (
      (select e as endpoint, array[e.app_secret_hash] as seen from channel_endpoints e where e.channel = ${channel}
       order by e.verified_at desc nulls last, e.created_at desc limit 1)
      union all
      select next.endpoint, latest.seen || (next.endpoint).app_secret_hash
      from latest cross join lateral (
        select e as endpoint from channel_endpoints e
        where e.channel = ${channel} and e.app_secret_hash <> all (latest.seen)
        order by e.verified_at desc nulls last, e.created_at desc limit 1) next
      where cardinality(latest.seen) < ${most}
    )
    select ${sealed}, coalesce(e.verified_at < ${NOW}::timestamptz - ${A_MINUTE}, true) as is_due
    from (select (endpoint).*, cardinality(seen) as place from latest) e order by place`;

/**
 * Records that the secret of these endpoints verified a payload of these business accounts. Locked endpoints are skipped: a
 * webhook must not wait for them.
 */
export const noteVerified = (ids: readonly string[], account_ids: readonly string[]) =>
  sql`
    update channel_endpoints e set
      verified_at = ${NOW},
      business_account_ids = array(
        select id from unnest(${account_ids}::text[] || e.business_account_ids) with ordinality as seen (id, place)
        group by id order by min(place) limit ${MAX_ACCOUNTS})
    from (
      select id from channel_endpoints where id = any(${ids}::uuid[]) order by id for no key update skip locked) due
    where e.id = due.id`;
