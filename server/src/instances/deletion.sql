-- Deletes rows together with the rows that refer to them by foreign keys that do not cascade. Reads the foreign keys from the
-- catalogue, so a new table needs no change here.
create or replace procedure delete_with_referring(of_table regclass, condition text)
  language plpgsql
  as $$
declare
  reference record;
begin
  for reference in
    select c.conrelid::regclass as referring,
           (select string_agg(quote_ident(a.attname), ', ' order by k.place) from unnest(c.conkey) with ordinality k (number, place)
              join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number) as columns,
           (select string_agg(quote_ident(a.attname), ', ' order by k.place) from unnest(c.confkey) with ordinality k (number, place)
              join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.number) as keys
    from pg_constraint c
    where c.contype = 'f' and c.confrelid = of_table and c.conrelid <> of_table and c.confdeltype in ('a', 'r')
  loop
    call delete_with_referring(reference.referring,
      format('(%s) in (select %s from %s where %s)', reference.columns, reference.keys, of_table, condition));
  end loop;
  execute format('delete from %s where %s', of_table, condition);
end $$;

-- With everything that refers to the instance. Does nothing unless it is terminated.
create or replace function delete_terminated_instance(instance uuid) returns void
  language plpgsql
  as $$
begin
  call delete_with_referring('instances', format('id = %L and status = ''terminated''', instance));
end $$;
