-- Changes that the audit log records.
call note_changes('tenant_llm_providers');
call note_changes('customer_budgets');
