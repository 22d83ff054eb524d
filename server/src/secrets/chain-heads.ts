import type { ChainName, ChainPosition } from './chain-heads.db.ts';
import type { MasterKeys } from './master-keys.ts';

/** The position before a chain's first row. */
export const BEGINNING: ChainPosition = { count: 0, hash: Buffer.alloc(32) };

/** Where the stored rows of a chain begin and end. */
export interface ChainHead {
  /** Moved forward by retention, which deletes the rows up to it. */
  begin: ChainPosition;
  end: ChainPosition;
  /** The record was found changed. It stays so, because a whole head would hide the change. */
  isBroken: boolean;
}

export const chainHeadId = (tenant_id: string, chain: ChainName) => `${tenant_id}/${chain}`;
export const chainHeadContext = (id: string) => `chain-head:${id}`;

/** @param id chainHeadId */
export const sealHead = (masterKeys: MasterKeys, id: string, { begin, end, isBroken }: ChainHead): Buffer =>
  masterKeys.wrap(JSON.stringify([...textOf(begin), ...textOf(end), isBroken]), chainHeadContext(id));

/** undefined for a head that was not sealed here for this chain. */
export function openHead(masterKeys: MasterKeys, id: string, sealed: Buffer): ChainHead | undefined {
  try {
    const text = masterKeys.unwrap(sealed, chainHeadContext(id)).toString();
    const [first, firstHash, last, lastHash, isBroken] = JSON.parse(text) as HeadText;
    return { begin: positionOf(first, firstHash), end: positionOf(last, lastHash), isBroken };
  } catch {
    return undefined;
  }
}

type HeadText = [number, string, number, string, boolean];

const textOf = ({ count, hash }: ChainPosition): [number, string] => [count, hash.toString('hex')];
const positionOf = (count: number, hash: string): ChainPosition => ({
  count,
  hash: Buffer.from(hash, 'hex'),
});
