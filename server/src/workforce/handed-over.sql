-- The channel tells a number for another sender than before: the worker has to be bound anew, or to verify with the code.
create or replace function unverify_number_of_worker(of_customer uuid, of_channel text, of_phone text, at timestamptz) returns void
  language sql
  as $$
  update staff_bindings set state = 'unverified', wrong_codes = 0, handed_over_at = at, updated_at = greatest(updated_at, at)
  where customer_id = of_customer and channel_type = of_channel and (channel_address = any (address_spellings(of_phone)) or address_key = address_key(of_phone))
    and state <> 'rejected'
$$;
