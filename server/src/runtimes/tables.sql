-- Changes that the audit log records.
call note_changes('proxy_keys');
call note_changes('llm_keys', 'instance_id');
