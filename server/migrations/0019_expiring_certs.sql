-- oldest service: 0006
-- Certifications of all customers by their end.

create index staff_terms_certification_end on staff_terms (tenant_id, ends_at) include (customer_id, term, is_local, person_id)
  where term >= 'certification:' and term < 'certification;' and ends_at < 'infinity';
