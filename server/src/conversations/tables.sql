-- The tables of this room: conversations, channel_messages, conversation_addresses,
-- upload_pieces, uploads.

-- Changes that the audit log records.
call note_changes('conversations', 'id');
call note_changes('channel_messages', 'id', 'insert or update');
call note_changes('uploads', 'id', 'insert');
