-- The tables of this room: rollout_items, rollout_refusals, rollouts.

-- Recorded by the audit log.
call note_changes('rollouts', 'id');
