-- The tables of this room: staff, staff_terms, staff_sets, staff_bindings, shifts, assignments, timesheets.

-- Recorded by the audit log.
call note_changes('staff', 'id');
call note_changes('staff_bindings', 'id');
call note_changes('shifts', 'id');
call note_changes('assignments', 'id');
call note_changes('timesheets', 'id');

-- Counted towards a limit.
call count_rows_of('staff', 'staff', 'true');
