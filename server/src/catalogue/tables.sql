-- The tables of this room: tiers, regions, models, primitives, default_primitives.

-- Recorded by the audit log.
call note_changes('primitives', 'id');
