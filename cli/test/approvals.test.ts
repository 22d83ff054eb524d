import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { McpToolServers } from '../../server/src/adapters/mcp-client/mcp-tool-servers.ts';
import { createAgent, WAIT } from '../../server/test/support/conversations.ts';
import { callTool, connectToGateway } from '../../server/test/support/gateway.ts';
import { FakeToolServer } from '../../server/test/support/tool-server.ts';
import type { Workplace } from './support/agentctl.ts';
import { type CliBench, startCliBench } from './support/service.ts';

const crm = new FakeToolServer();
let bench: CliBench;
let work: Workplace;
beforeAll(async () => {
  await crm.start();
  bench = await startCliBench({ toolServers: new McpToolServers({ allowedHosts: ['127.0.0.1'] }) });
  ({ work } = bench);
});
afterAll(async () => {
  await bench.stop();
  crm.stop();
});

/** Calls a tool that needs an approval. */
async function requestApproval(text: string): Promise<{ instance: string; id: string }> {
  const { service, tenant } = bench;
  const { instance } = await createAgent(service, tenant, {
    mcp_servers: [{ name: 'crm', url: crm.url }],
    approval_rules: { require: [{ tool: 'crm__*', by: 'person' }] },
  });
  const client = await connectToGateway(service, tenant, instance.id);
  const { approval_id } = JSON.parse((await callTool(client, 'crm__book', { text })).text) as {
    approval_id: string;
  };
  return { instance: instance.id, id: approval_id };
}

describe('approvals', () => {
  it('are listed with their arguments, approved, and shown with the result', async () => {
    const { instance, id } = await requestApproval('a berth');
    const list = await work.run('approvals', 'list', '--status', 'waiting', '--instance', instance);
    expect(list.stdout).toMatch(
      /^ID +STATUS +INSTANCE +CUSTOMER +TOOL +ARGUMENTS +REQUESTED +EXPIRES +BY +COMMENT\n/,
    );
    expect(list.stdout).toMatch(
      new RegExp(`^${id} +waiting +agent +\\S+ +crm__book +{"text":"a berth"} +20`, 'm'),
    );
    const soonest = await work.run('approvals', 'list', '--soonest', '--instance', instance);
    expect(soonest.stdout).toContain(id);
    const approved = await work.run('approvals', 'approve', id, '--comment', 'Go ahead');
    expect(approved).toMatchObject({ code: 0, stdout: 'crm__book is approved\n' });
    await vi.waitFor(async () => {
      expect((await work.run('approvals', 'show', id)).stdout).toContain('book: a berth');
    }, WAIT);
    expect((await work.run('approvals', 'reject', id)).code).toBe(5);
  });

  it('are rejected without the call', async () => {
    const { id } = await requestApproval('a crane');
    const rejected = await work.json('approvals', 'reject', id, '--comment', 'Too dear');
    expect(rejected).toMatchObject({ status: 'rejected', comment: 'Too dear' });
    expect((await work.run('approvals', 'list', '--status', 'waiting')).stdout).not.toContain(id);
    expect(crm.calls.filter(({ args }) => args.text === 'a crane')).toEqual([]);
  });
});
