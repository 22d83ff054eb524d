import Type from 'typebox';
import { NamedObject } from '../platform/contract/named.ts';
import { Fault } from '../platform/contract/shapes.ts';

/** The fault of one element of a list in the body, while the others were done. */
export const ItemFault = NamedObject('ItemFault', { index: Type.Integer(), ...Fault.properties });
