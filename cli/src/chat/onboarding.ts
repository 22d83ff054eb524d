import type { ControlPlane } from '@agent-control-plane/sdk';

/** Texts that a new sender is asked before the agent answers. None where the flow may not be read. */
export async function onboardingQuestions(
  acp: ControlPlane,
  instance_id: string,
): Promise<ReadonlySet<string>> {
  const { resolved_config } = await acp.instances.get(instance_id);
  const flow_id = resolved_config['onboarding_flow_id'];
  const flow =
    typeof flow_id === 'string' ? await acp.onboardingFlows.get(flow_id).catch(() => undefined) : undefined;
  return new Set(flow?.steps.map(({ text }) => text));
}
