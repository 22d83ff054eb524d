import { describe, expect, it } from 'vitest';
import { type ApprovalRule, demandsFor, readApprovalRules } from './approval-rules.ts';
import { findTool, readMcpServers } from './mcp-servers.ts';

const url = 'https://mcp.example.com/mcp';
const rule = (tool: string, by: ApprovalRule['by'] = 'person', expires_minutes?: number): ApprovalRule => ({
  tool,
  by,
  ...(expires_minutes !== undefined && { expires_minutes }),
});

describe('approval_rules', () => {
  it('require nothing by default', () => {
    expect(readApprovalRules({})).toEqual([]);
    expect(readApprovalRules({ approval_rules: null })).toEqual([]);
    expect(readApprovalRules({ approval_rules: {} })).toEqual([]);
  });

  it.each([
    'all',
    [],
    { require: {} },
    { require: [{ tool: 'crm__x' }] },
    { require: [{ tool: 'crm__x', by: 'boss' }] },
    { require: [{ tool: 'crm__x', by: 'person', expires_minutes: 10_081 }] },
  ])('make every tool wait for a person when invalid: %j', (approval_rules) => {
    const demands = demandsFor(readApprovalRules({ approval_rules }), 'any__tool');
    expect(demands).toEqual({ pin: false, waits: { tool: '*', expires_minutes: 1440 } });
  });

  it('combine the demands of all matching ones', () => {
    const rules = [rule('crm__*', 'pin'), rule('crm__pay', 'person', 60), rule('*', 'person', 30)];
    expect(demandsFor(rules, 'crm__pay')).toEqual({
      pin: true,
      waits: { tool: '*', expires_minutes: 30 },
    });
    expect(demandsFor(rules.slice(0, 2), 'crm__look')).toEqual({ pin: true, waits: undefined });
    expect(demandsFor(rules.slice(0, 2), 'crm2__pay')).toEqual({ pin: false, waits: undefined });
  });
});

describe('mcp_servers', () => {
  it('omit elements without a valid name and address, and repeated names', () => {
    const mcp_servers = [
      'a slug',
      { name: 'crm', url },
      { name: 'crm', url: `${url}/2` },
      { name: 'a__b', url },
      { name: 'two words', url },
      { name: 'ftp', url: 'ftp://example.com' },
      { name: 'none' },
    ];
    expect(readMcpServers({ mcp_servers })).toEqual([
      { name: 'crm', url, provider: null, allowed_tools: null, timeout_seconds: 30 },
    ]);
    expect(readMcpServers({ mcp_servers: 'crm' })).toEqual([]);
  });

  it('allow no tool with an invalid allowed_tools, and a tool only by its full name', () => {
    const servers = readMcpServers({
      mcp_servers: [
        { name: 'broken', url, allowed_tools: 'all' },
        { name: 'a_b', url, allowed_tools: ['c__d'], timeout_seconds: 1000 },
      ],
    });
    expect(findTool(servers, 'broken__all')).toBeUndefined();
    expect(findTool(servers, 'a_b__c__d')).toMatchObject({ tool: 'c__d', server: { timeout_seconds: 30 } });
    expect(findTool(servers, 'a__b')).toBeUndefined();
  });
});
