import type { ChainName, ChainPosition } from './chain-heads.db.ts';
import type { MasterKeys } from './master-keys.ts';

/** Before the first row. */
export const CHAIN_START: ChainPosition = { count: 0, hash: Buffer.alloc(32) };

export interface ChainHead {
  /** Retention deletes the rows up to here. */
  begin: ChainPosition;
  end: ChainPosition;
  /** Tampering was found. Stays true, because an intact head would hide it. */
  isBroken: boolean;
}

export const chainHeadId = (tenant_id: string, chain: ChainName) => `${tenant_id}/${chain}`;
export const chainHeadContext = (id: string) => `chain-head:${id}`;

export const sealHead = (masterKeys: MasterKeys, id: string, { begin, end, isBroken }: ChainHead): Buffer =>
  masterKeys.wrap(JSON.stringify([...toHeadText(begin), ...toHeadText(end), isBroken]), chainHeadContext(id));

/** undefined unless sealed here for this chain. */
export function openHead(masterKeys: MasterKeys, id: string, sealed: Buffer): ChainHead | undefined {
  try {
    const text = masterKeys.unwrap(sealed, chainHeadContext(id)).toString();
    const [first, firstHash, last, lastHash, isBroken] = JSON.parse(text) as HeadText;
    return { begin: toPosition(first, firstHash), end: toPosition(last, lastHash), isBroken };
  } catch {
    return undefined;
  }
}

type HeadText = [number, string, number, string, boolean];

const toHeadText = ({ count, hash }: ChainPosition): [number, string] => [count, hash.toString('hex')];
const toPosition = (count: number, hash: string): ChainPosition => ({
  count,
  hash: Buffer.from(hash, 'hex'),
});
