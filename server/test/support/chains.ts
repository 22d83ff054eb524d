import { readFile } from 'node:fs/promises';
import type { OpenSsl } from './openssl.ts';

interface Links {
  curve: string;
  count: number;
  /** Makes each issuer's certificate larger. */
  names?: readonly string[];
}

export async function madeUpChain(
  openssl: OpenSsl,
  { curve, count, names = [] }: Links,
): Promise<{ cert: string; key: string }> {
  const keyOf = async (name: string) => {
    const path = await openssl.file('');
    await openssl.text('genpkey', '-algorithm', 'EC', '-pkeyopt', `ec_paramgen_curve:${name}`, '-out', path);
    return path;
  };
  const issuing = await keyOf(curve);
  const own = await keyOf('P-256');
  const more =
    names.length > 0 ? ['-addext', `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`] : [];
  const chain: string[] = [];
  let issuer: string | undefined;
  for (let left = count; left >= 0; left--) {
    const path = await openssl.file('');
    const signing = issuer === undefined ? [] : ['-CA', issuer, '-CAkey', issuing];
    const key = left === 0 ? own : issuing;
    await openssl.text(
      'req',
      '-x509',
      '-new',
      '-key',
      key,
      '-subj',
      `/CN=${left}`,
      ...signing,
      ...more,
      '-out',
      path,
    );
    chain.unshift(await readFile(path, 'utf8'));
    issuer = path;
  }
  return { cert: chain.join(''), key: await readFile(own, 'utf8') };
}
