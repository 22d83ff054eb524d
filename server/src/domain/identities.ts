export { deleteIdentity, insertIdentity, listIdentities } from '../db/identities.ts';
