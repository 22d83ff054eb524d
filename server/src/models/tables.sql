-- The tables of this room: llm_providers, tenant_llm_providers, customer_budgets, llm_spending, llm_calls,
-- llm_days.

-- Changes that the audit log records.
call note_changes('tenant_llm_providers');
call note_changes('customer_budgets');
