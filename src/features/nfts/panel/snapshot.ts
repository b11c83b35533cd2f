import { problemWords } from '../../../host/panels/problemWords.ts';
import type { ErrorDescription } from '../../../host/words/describeError.ts';
import type { NftSnapshot } from '../protocol/nftSnapshot.ts';
import type { PartName } from '../protocol/parts.ts';
import { contractHeading, contractWords, type WordsContext } from '../words/contractWords.ts';
import { metadataWords, pictureWords } from '../words/metadataWords.ts';
import { transfersWords } from '../words/transfersWords.ts';

/** What a snapshot is made from, beside what its words are. */
interface SnapshotSource extends WordsContext {
  /** Counts up when row numbers begin to mean other transfers. */
  readonly order: number;
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
  return {
    heading: contractHeading(answers, source.l10n),
    contract: { ...part('contract'), ...contractWords(source) },
    token: { ...part('token'), ...metadataWords(source) },
    picture: {
      ...part('picture'),
      ...pictureWords(source),
      shown: picture && answers.answer,
    },
    transfers: {
      ...part('transfers'),
      ...transfersWords(source),
      ...{ answer: answers.answer, order },
      rows: answers.transfers.value?.count ?? 0,
    },
    canOpenExplorer: (answers.network ?? activeNetwork).explorerUrl !== undefined,
  };
}
