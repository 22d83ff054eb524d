export { deletePrimitive, insertPrimitive, listPrimitives } from '../db/primitives.ts';
