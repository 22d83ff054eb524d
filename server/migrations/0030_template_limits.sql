-- oldest service: 0006
-- Templates of rules and onboarding flows count towards limits from now on.

set local role acp_system;
insert into tenant_counts (tenant_id, name, used)
select tenant_id, 'rules_templates', count(*) from rules_templates group by 1
union all
select tenant_id, 'onboarding_flows', count(*) from onboarding_flows group by 1;
reset role;
