import { execFileSync } from 'node:child_process';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { expect, it } from 'vitest';
import { createCsr } from '../src/identity/csr.ts';
import { newTlsKey } from '../src/identity/keys.ts';
import { startAuthority } from './support/authority.ts';

it('is a valid request for openssl and the control plane’s CA', async () => {
  const authority = await startAuthority();
  // Signatures vary in length.
  for (let round = 0; round < 40; round++) {
    const key = createPrivateKey(newTlsKey());
    const csr = createCsr(key);
    expect((await authority.read(csr))?.request.public_key_spki).toEqual(
      createPublicKey(key).export({ type: 'spki', format: 'der' }),
    );
    expect(csr.length).toBeGreaterThan(100);
  }
  const csr = createCsr(createPrivateKey(newTlsKey()));
  const options = { input: csr, encoding: 'utf8', stdio: 'pipe' } as const;
  const text = execFileSync('openssl', ['req', '-verify', '-noout', '-text'], options);
  expect(text).toMatch(/Version: 1 \(0x0\)\s+Subject: *\n/);
  expect(text).toContain('Signature Algorithm: ecdsa-with-SHA256');
});
