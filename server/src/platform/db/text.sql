-- Lower case by Unicode's rules with ICU, else by the server's locale, which in the embedded database is ASCII alone.
do $do$
begin
  execute format(
    'create or replace function lower_case(words text) returns text language sql immutable parallel safe
     return lower(words %s)',
    case when getdatabaseencoding() = 'UTF8' and exists (select from pg_collation where collname = 'und-x-icu')
         then 'collate "und-x-icu"' end);
end $do$;

-- True if one of the texts contains the search text, whatever the case, or if that is empty. Texts are joined by line
-- breaks, so no search spans two of them.
create or replace function contains_text(search text, variadic texts text[]) returns boolean language sql stable parallel safe
  return search = '' or strpos(lower_case(array_to_string(texts, chr(10))), lower_case(search)) > 0;
