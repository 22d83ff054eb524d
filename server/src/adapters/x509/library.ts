/** The X.509 library needs reflect-metadata, but does not import it. */
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';

export { x509 };
