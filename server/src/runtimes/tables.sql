-- The tables of this room: runtime_hosts, runtimes, proxy_keys, llm_keys, cluster_drains, clusters, installation,
-- wake_waits.

-- Their changes are recorded for the audit.
call note_changes('proxy_keys');
call note_changes('llm_keys', 'instance_id');
