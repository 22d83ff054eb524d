import { visible } from '../rules/visible-text.ts';

/** A name that people gave: nothing hides in it, and its direction stays its own. */
export const Name = ({ of }: { of: string }) => <bdi>{visible(of)}</bdi>;
