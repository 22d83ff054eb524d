import { expect, it } from 'vitest';
import { withoutSecrets } from './without-secrets.ts';

it.each([
  ['401 from api.example.com: Bearer abc.def', '401 from api.example.com: Bearer …'],
  ['{"api_key":"k1","model":"m"}', '{"api_key":"…","model":"m"}'],
  ['password=hunter2;retry', 'password=…;retry'],
  ['no such key sk-proj-0123456789abcdefghij', 'no such key …'],
  [
    'The model answered POST /v1/chat/completions with 500',
    'The model answered POST /v1/chat/completions with 500',
  ],
  ['internationalization-of-everything', 'internationalization-of-everything'],
])('%s', (text, redacted) => {
  expect(withoutSecrets(text)).toBe(redacted);
});
