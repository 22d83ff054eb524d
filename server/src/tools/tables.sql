-- The tables of this room: tool_servers, approvals.

-- Changes that the audit log records.
call note_changes('approvals', 'id', 'update');
