import { ControlPlane } from '@agent-control-plane/sdk';
import type { Demo } from './demo.ts';
import { DemoError } from './errors.ts';
import { CHANNEL, staffOf } from './scenario.ts';

export async function gatherCrew(demo: Demo, customer_id: string): Promise<void> {
  const { acp, screen, credentials, scenario, step, signal } = demo;
  const { admin, base_url } = credentials;
  screen.heading('Crew');
  const { access_token } = await step(
    'Sign in as the admin',
    () => acp.authentication.login(admin, { signal }),
    () => admin.email,
  );
  const asAdmin = new ControlPlane({ baseUrl: base_url, accessToken: access_token });
  await step(
    'Import the staff',
    () => asAdmin.staff.importCustomerStaff(customer_id, { staff: staffOf(scenario) }, { signal }),
    ({ created }) => `${created} people`,
  );
  await bindSender({ ...demo, acp: asAdmin }, customer_id);
}

async function bindSender({ acp, scenario, step, signal }: Demo, customer_id: string): Promise<void> {
  const { sender, sender_name } = scenario;
  const binding = { channel_type: CHANNEL, channel_address: sender } as const;
  await step(
    'Bind the sender’s number',
    async () => {
      const { staff } = await acp.staff.listCustomerStaff(customer_id, {}, { signal });
      const person = staff.find(({ name }) => name === sender_name);
      if (!person) throw new DemoError(`${sender_name} is not among the imported staff`);
      return await acp.staff.createBinding(customer_id, person.id, binding, { signal });
    },
    ({ state }) => `${sender_name}, ${state}`,
  );
}
