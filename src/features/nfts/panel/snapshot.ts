import { problemWords } from '../../../host/panels/problemWords.ts';
import type { ErrorDescription } from '../../../host/words/describeError.ts';
import { type Column, columnIds } from '../protocol/columns.ts';
import type { NftSnapshot, WirePart } from '../protocol/nftSnapshot.ts';
import type { NftAction, PartName } from '../protocol/parts.ts';
import { contractHeading, contractWords } from '../words/contractWords.ts';
import { pictureWords } from '../words/pictureWords.ts';
import { tokenWords } from '../words/tokenWords.ts';
import { transfersWords } from '../words/transfersWords.ts';
import type { WordsContext } from '../words/wordsContext.ts';

/** What a snapshot is made from, beside what its words are. */
interface SnapshotSource extends WordsContext {
  /** Counts up when row numbers begin to mean other transfers. */
  readonly order: number;
  /** Whether the time of any transfer is known. */
  readonly hasTimes: boolean;
  readonly problemOf: (part: PartName) => ErrorDescription | undefined;
}

/** Everything that the view shows but the rows and the picture. */
export function makeSnapshot(source: SnapshotSource): NftSnapshot {
  const { answers, order, activeNetwork } = source;
  const problemOf = (name: PartName) => {
    const description = source.problemOf(name);
    return description && problemWords(description);
  };
  const part = (name: PartName) => ({
    isLoading: answers[name].isLoading,
    problem: problemOf(name),
  });
  const picture = answers.picture.value;
  const token = { ...part('token'), ...tokenWords(source) };
  const transfers = { ...part('transfers'), ...transfersWords(source) };
  return {
    heading: contractHeading(answers, source),
    contract: { ...part('contract'), ...contractWords(source) },
    token,
    picture: {
      ...part('picture'),
      ...pictureWords(source),
      shown: picture && answers.answer,
    },
    transfers: {
      ...transfers,
      ...{ answer: answers.answer, order, columns: shownColumns(source) },
      rows: answers.transfers.value?.count ?? 0,
    },
    canOpenExplorer: (answers.network ?? activeNetwork).explorerUrl !== undefined,
    onEnter: enterActions(source, { token, transfers }),
  };
}

/** No column of blanks: of times only where one is known, of amounts only where it can be another than 1. */
function shownColumns({ answers, hasTimes }: SnapshotSource): readonly Column[] {
  const answer = answers.contract.value;
  const isSingle = answer?.state === 'known' && answer.contract.standard === 'erc721';
  return columnIds.filter((id) => (id !== 'time' || hasTimes) && (id !== 'amount' || !isSingle));
}

/** The token where that costs nothing, and what its transfers are asked by first. */
function enterActions(
  { nfts }: SnapshotSource,
  { token, transfers }: Record<'token' | 'transfers', Pick<WirePart, 'offers'>>,
): readonly NftAction[] {
  const isFree = nfts?.state === 'ready' && nfts.offers.nftToken === 'free';
  const reading = token.offers.filter(({ action }) => isFree && action === 'token');
  return [...reading, ...transfers.offers.slice(0, 1)].map(({ action }) => action);
}
