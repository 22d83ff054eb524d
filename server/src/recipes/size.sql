-- Each request changes at most 1 MiB, so an unbounded recipe could grow far beyond that, and again in every revision,
-- plan and list. Twice a request leaves room for whatever one request can contain. Measured in the statement that
-- writes the recipe.
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
