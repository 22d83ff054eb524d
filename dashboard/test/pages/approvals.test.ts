import { expect, it } from 'vitest';
import { callTool, connectToGateway } from '../../../server/test/support/gateway.ts';
import { expectGoodLooks, Visitor } from '../support/browser.ts';
import { type Furnished, furnishedTenant } from '../support/furnished.ts';
import { Talk } from '../support/talk.ts';

async function ask(
  tenant: Furnished,
  conversation_id: string,
  args: Record<string, unknown>,
): Promise<string> {
  const gateway = await connectToGateway(tenant.house, tenant, tenant.instance_id, {
    headers: { 'x-conversation-id': conversation_id },
  });
  const { text } = await callTool(gateway, 'crm__book', args);
  await gateway.close();
  const { items } = await tenant.acp.call('list_approvals', { query: { conversation_id } });
  return items[0]?.id ?? expect.unreachable(text);
}

const CALL = {
  text: 'Customer ordered twice by mistake.\nGoods have not left the warehouse.',
  order_id: '8831',
  refund: { amount: '1240.00', currency: 'EUR' },
  notify: true,
  tags: ['crane', 'إلغاء الطلب'],
};

it('shows all that a call would do, and makes it when it is approved', async () => {
  const tenant = await furnishedTenant();
  const talk = await Talk.begin(
    tenant,
    'I have two orders for the same pallets, 8830 and 8831. Please cancel one.',
  );
  await talk.answer({
    text: 'I can cancel 8831 with a refund of 1,240 EUR. Somebody of ours has to agree first.',
  });
  const id = await ask(tenant, talk.conversation_id, CALL);
  const visitor = await Visitor.of(tenant.house, tenant);
  const list = await visitor.open('/approvals');
  await list.getByRole('button', { name: 'Approve and call' }).waitFor();
  await expectGoodLooks(visitor, list, 'approvals');
  await list.getByRole('link', { name: 'Expired' }).click();
  await list.getByText('No call was left until its end.').waitFor();
  const open = list.getByRole('navigation', { name: 'Which calls' }).locator('[aria-current]');
  expect(await open.allTextContents()).toEqual(['Expired']);
  await list.close();

  const page = await visitor.open(`/approvals/${id}`);
  await page.getByText('Goods have not left the warehouse.').waitFor();
  await page.getByRole('textbox', { name: 'Comment for the agent' }).fill('Agreed with Petra');
  await page.getByRole('button', { name: 'Approve and call' }).click();
  await page.getByText('The tool answered').waitFor();
  const decided = await tenant.acp.call('get_approval', { path: { approval_id: id } });
  expect(decided).toMatchObject({ status: 'approved', comment: 'Agreed with Petra' });
  await expectGoodLooks(visitor, page, 'approval-decided');
});

it('is rejected in the place where the agent asked', async () => {
  const tenant = await furnishedTenant();
  const talk = await Talk.begin(tenant, 'Book the big one');
  const id = await ask(tenant, talk.conversation_id, CALL);
  const visitor = await Visitor.of(tenant.house, tenant);
  const page = await visitor.open(`/conversations/${talk.conversation_id}`);
  await page.getByText('The agent asks to call').waitFor();
  await expectGoodLooks(visitor, page, 'conversation-asking');
  await page.getByRole('button', { name: 'Reject' }).click();
  await page.getByText('rejected', { exact: true }).waitFor();
  const { status } = await tenant.acp.call('get_approval', { path: { approval_id: id } });
  expect(status).toBe('rejected');
  expect(visitor.complaints).toEqual([]);
});
