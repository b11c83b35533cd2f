import type { ErrorDescription } from '../../host/errors.ts';
import { toPanelError } from '../../host/formatting.ts';
import { Load } from '../../host/loading.ts';
import type { NftsDeps } from './askForNft.ts';
import {
  createContractPart,
  createPicturePart,
  createTokenPart,
  formatContractHeading,
  type NftFormatContext,
  type NftOfferState,
} from './formatNft.ts';
import { createTransfersPart } from './formatTransfers.ts';
import {
  type NftAction,
  type NftSnapshot,
  type PartName,
  type TransferColumn,
  transferColumnIds,
  type WirePart,
} from './protocol.ts';

/** The offers of the NFT provider and their prices, fetched again whenever they may have changed. */
export class NftOffers {
  readonly #session: NftsDeps['session'];
  readonly #load: Load<NftOfferState>;

  constructor(session: NftsDeps['session'], onDidChange: () => void) {
    this.#session = session;
    this.#load = new Load((what) => {
      if (what === 'value') onDidChange();
    });
  }

  /** Undefined before the first fetch. */
  get value(): NftOfferState | undefined {
    return this.#load.value;
  }

  /** Why the last fetch failed, if it did. */
  get error(): unknown {
    return this.#load.error;
  }

  /** Resolves when the last fetch is finished. Never rejects. */
  async refresh(): Promise<void> {
    const session = this.#session;
    await this.#load.run(async function* () {
      const access = await session.provider('nfts');
      // Not the provider itself: its key may be removed meanwhile.
      if (access.state !== 'ready') yield { state: access.state };
      else {
        const { provider, withoutKey } = access;
        yield { state: 'ready', label: provider.label, offers: provider.offers, withoutKey };
      }
    });
    while (this.#load.isLoading) await this.#load.arrival;
  }

  dispose(): void {
    this.#load.clear();
  }
}

interface NftSnapshotInputs extends NftFormatContext {
  /** Incremented when row numbers are no longer valid. */
  readonly order: number;
  readonly hasTimes: boolean;
  readonly describeError: (part: PartName) => ErrorDescription | undefined;
}

export function createNftSnapshot(source: NftSnapshotInputs): NftSnapshot {
  const { reader, order, activeNetwork } = source;
  const problemOf = (name: PartName) => {
    const description = source.describeError(name);
    return description && toPanelError(description);
  };
  const part = (name: PartName) => ({
    isLoading: reader[name].isLoading,
    error: problemOf(name),
  });
  const picture = reader.picture.value;
  const token = { ...part('token'), ...createTokenPart(source) };
  const transfers = { ...part('transfers'), ...createTransfersPart(source) };
  return {
    heading: formatContractHeading(reader, source),
    contract: { ...part('contract'), ...createContractPart(source) },
    token,
    picture: {
      ...part('picture'),
      ...createPicturePart(source),
      shown: picture && reader.resultId,
    },
    transfers: {
      ...transfers,
      resultId: reader.resultId,
      order,
      columns: shownColumns(source),
      rows: reader.transfers.value?.count ?? 0,
    },
    canOpenExplorer: (reader.network ?? activeNetwork).explorerUrl !== undefined,
    onEnter: enterActions(source, { token, transfers }),
  };
}

/** Omits empty columns: times if none is known, amounts if all are 1. */
function shownColumns({ reader, hasTimes }: NftSnapshotInputs): readonly TransferColumn[] {
  const answer = reader.contract.value;
  const isSingle = answer?.state === 'known' && answer.contract.standard === 'erc721';
  return transferColumnIds.filter((id) => (id !== 'time' || hasTimes) && (id !== 'amount' || !isSingle));
}

/** Enter reads the token if that is free, and runs the first offer for transfers. */
function enterActions(
  { nfts }: NftSnapshotInputs,
  { token, transfers }: Record<'token' | 'transfers', Pick<WirePart, 'offers'>>,
): readonly NftAction[] {
  const isFree = nfts?.state === 'ready' && nfts.offers.nftToken === 'free';
  const reading = token.offers.filter(({ action }) => isFree && action === 'token');
  return [...reading, ...transfers.offers.slice(0, 1)].map(({ action }) => action);
}
