import type { Binding, PinStatus, StaffImportResult, StaffPage, TokenPair } from '@agent-control-plane/sdk';
import type { Demo } from './demo.ts';
import { CHANNEL, staffOf } from './scenario.ts';

/** Gives the customer a crew, the sender among it, and a PIN. @returns the PIN; undefined when the server keeps none yet */
export async function gatherCrew(demo: Demo, customer_id: string): Promise<string | undefined> {
  const { api, screen, credentials, scenario, step } = demo;
  const { pin } = scenario;
  screen.heading('Crew');
  const { access_token } = await step(
    'Sign in as the admin',
    () => api.as({}).call<TokenPair>('POST', '/auth/login', credentials.admin),
    () => credentials.admin.email,
  );
  const admin = api.as({ authorization: `Bearer ${access_token}` });
  const staff_path = `/v1/customers/${customer_id}/staff`;
  const imported = await step(
    'Import the staff',
    () => admin.callIfThere<StaffImportResult>('POST', `${staff_path}/import`, { staff: staffOf(scenario) }),
    (result) => result && `${result.created} people`,
  );
  if (imported) await bindSender({ ...demo, api: admin }, staff_path);
  const set = await step(
    'Set the customer’s PIN',
    () => api.callIfThere<PinStatus>('POST', `/v1/customers/${customer_id}/pin`, { pin }),
    (status) => status && `has_pin ${status.has_pin}`,
  );
  return set && pin;
}

async function bindSender({ api, scenario, step }: Demo, staff_path: string): Promise<void> {
  const { sender, sender_name } = scenario;
  const binding = { channel_type: CHANNEL, channel_address: sender };
  await step(
    'Bind the sender’s number',
    async () => {
      const page = await api.callIfThere<StaffPage>('GET', staff_path);
      const person = page?.staff.find(({ name }) => name === sender_name);
      return (
        person && (await api.callIfThere<Binding>('POST', `${staff_path}/${person.id}/bindings`, binding))
      );
    },
    (bound) => bound && `${sender_name}, ${bound.state}`,
  );
}
