/** The X.509 library. It asks for reflect-metadata to be there first and does not bring it. */
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

x509.cryptoProvider.set(webcrypto as Parameters<typeof x509.cryptoProvider.set>[0]);

export { x509 };
