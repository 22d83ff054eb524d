/** The X.509 library. It asks for reflect-metadata to be there first and does not bring it. */
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';

export { x509 };
