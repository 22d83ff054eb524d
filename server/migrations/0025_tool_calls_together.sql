-- The rows of many tenants' calls are written in one statement, which is the system's: it may add rows and move the end
-- of a chain that is there. It makes no chain, and takes away neither.
grant insert on tool_calls to acp_system;
grant update (count, hash, seal) on tool_call_chains to acp_system;
