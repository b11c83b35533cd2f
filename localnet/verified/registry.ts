import type { Hex } from 'ox';
import type { CompiledContract } from './compileVerified.ts';

/** A contract whose source somebody has verified. */
export type VerifiedRecord = {
  readonly chainId: number;
  /** In lower case. */
  readonly address: Hex.Hex;
  readonly contract: CompiledContract;
  /** Whether the metadata fits as well. */
  readonly isExact: boolean;
  readonly matchId: string;
  /** The code that was at the address when it was verified. */
  readonly code: Hex.Hex;
  /** Null where the service could not find out. */
  readonly deployment: {
    readonly transactionHash: Hex.Hex;
    readonly blockNumber: number;
    readonly deployer: Hex.Hex;
  } | null;
};

/** What is verified, for the servers that tell of it. */
export type VerifiedRegistry = {
  add(record: Omit<VerifiedRecord, 'matchId'>): void;
  find(chainId: number, address: string): VerifiedRecord | undefined;
  all(): readonly VerifiedRecord[];
};

/** Match ids count from 1 in the order of verification. */
export function createVerifiedRegistry(): VerifiedRegistry {
  const records: VerifiedRecord[] = [];
  return {
    add(record) {
      records.push({ ...record, matchId: String(records.length + 1) });
    },
    find: (chainId, address) =>
      records.findLast((one) => one.chainId === chainId && one.address === address.toLowerCase()),
    all: () => records,
  };
}
