/** The X.509 library, after reflect-metadata, which it needs and does not import. */
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';

export { x509 };
