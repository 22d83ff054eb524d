-- A recipe is changed field by field, each by a request of 1 MiB at most, so without a bound on the whole it would be
-- many times as large as any request, in each of its revisions, plans and lists again. Twice a request leaves room for
-- whatever one request can say. The statement that writes a recipe hands on its JSON, which is measured on the way.
create or replace function recipe_within_bound(recipe text) returns text
  language plpgsql immutable parallel safe
  as $$
begin
  if octet_length(recipe) > 2 * 1024 * 1024 then
    raise exception 'A recipe may have 2 MiB of JSON'
      using errcode = 'string_data_right_truncation', constraint = 'recipe_within_bound';
  end if;
  return recipe;
end
$$;
