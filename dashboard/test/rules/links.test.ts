import { expect, it } from 'vitest';
import { invitationLink, passwordResetLink } from '../../src/rules/links.ts';

it('puts the token where no server sees it', () => {
  expect(invitationLink('https://acp.example/', 'a+b')).toBe(
    'https://acp.example/invitations/accept#token=a%2Bb',
  );
  expect(passwordResetLink('https://acp.example', 'x')).toBe('https://acp.example/password-reset#token=x');
});
