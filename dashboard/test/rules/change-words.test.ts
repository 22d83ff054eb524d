import { expect, it } from 'vitest';
import { changeWords } from '../../src/rules/change-words.ts';

it('says what was done', () => {
  const operations = ['create_api_key', 'put_tenant_llm_provider', 'retry_instance', 'delete_customer_pin'];
  expect(operations.map(changeWords)).toEqual([
    'Created API key',
    'Set model provider',
    'Tried again agent',
    'Deleted customer PIN',
  ]);
});
