-- The tables of this room: tool_servers, approvals, kept_calls.

-- Changes that the audit log records.
call note_changes('approvals', 'id', 'update');
