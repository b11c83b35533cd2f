import * as vscode from 'vscode';
import {
  asAppError,
  type Clock,
  groupDigits,
  isTemporary,
  MAX_LIST_ITEMS,
  type Network,
  type Price,
} from '../../../core/index.ts';
import { commandOf } from '../../../host/commands/commands.ts';
import { MOST_ADDRESSES } from '../../../host/places/workspaceAddresses.ts';
import type { TreeRow } from '../../../host/surface/tree.ts';
import { completenessTexts } from '../../../host/words/completenessTexts.ts';
import { describeError } from '../../../host/words/describeError.ts';
import { chooseNetwork, openSettings, setKey, watchToken } from '../../../host/words/remedies.ts';
import { sourceName } from '../../../host/words/sourceName.ts';
import { failedRow, row } from '../../../host/words/treeRow.ts';
import type { SettingId } from '../../../manifest.ts';
import { lastRead } from '../balances/figureWords.ts';
import { holdingsCostLines } from '../balances/holdingsCost.ts';
import { noTokenData } from '../balances/noTokenData.ts';
import type { FailureNote, NoteNode, WordsNote } from './addressNodes.ts';

const TOKENS_FROM: SettingId = 'chainside.sources.tokens';

interface NoteContext {
  readonly network: Network;
  readonly price: Price | undefined;
  readonly clock: Pick<Clock, 'now'>;
}

/** A row that says what is missing and why; a click on it does what helps. */
export function noteItem({ content, parent }: NoteNode, { network, price, clock }: NoteContext): TreeRow {
  if (!('error' in content)) return rowOfWords(content, parent, holdingsCostLines(price));
  const described = describeError(content.error, { service: 'source', network });
  const passing = isTemporary(asAppError(content.error));
  const remedy =
    passing && parent.kind === 'address'
      ? commandOf('chainside.refresh', vscode.l10n.t('Try Again'), parent.account)
      : described.remedies[0];
  const kept = content.note === 'tokensFailed' ? content.kept?.holdings.balances : undefined;
  const reason = kept ? `${lastRead(kept, clock)} · ${described.reason}` : described.reason;
  return failedRow(failureWords(content), { ...described, reason }, remedy);
}

function failureWords(failure: FailureNote): string {
  if (failure.note === 'nftsFailed') return vscode.l10n.t('NFTs not loaded');
  return failure.kept ? vscode.l10n.t('Tokens not read again') : vscode.l10n.t('Tokens not loaded');
}

function rowOfWords(content: WordsNote, parent: NoteNode['parent'], cost: readonly string[]): TreeRow {
  const { l10n } = vscode;
  switch (content.note) {
    case 'tokensLoading':
      return row(l10n.t('Tokens…'), 'loading~spin');
    case 'noTokens':
      return row(l10n.t('No tokens'), 'circle-slash');
    case 'noKey': {
      const why = l10n.t('Token balances come from the data API, which asks for a key.');
      return {
        ...row(l10n.t('Tokens: no key'), 'key', {
          description: setKey.title,
          tooltip: [why, ...cost],
        }),
        command: setKey,
      };
    }
    case 'notServed': {
      const { short, whole } = noTokenData(l10n);
      return {
        ...row(l10n.t('No token data'), 'circle-slash', {
          description: `${short} · ${watchToken.title}`,
          tooltip: [whole],
        }),
        command: watchToken,
      };
    }
    case 'notAsked':
      return readingRow(l10n.t('Tokens not read'), 'circle-outline', {
        why: l10n.t('several addresses are open'),
        title: l10n.t('Read Tokens'),
        ...{ parent, cost },
      });
    case 'otherCurrency':
      return readingRow(l10n.t('Values are still in {0}', content.is), 'info', {
        why: l10n.t('{0} is chosen', content.wanted),
        title: l10n.t('Refresh'),
        ...{ parent, cost },
      });
    case 'noEthCall':
      return row(l10n.t('Watched tokens not read'), 'circle-slash', {
        description: l10n.t('the endpoint has no eth_call'),
      });
    case 'noNetwork':
      return {
        ...row(chooseNetwork.title, 'globe', {
          tooltip: [l10n.t('Balances and tokens are read from the network that you choose.')],
        }),
        command: chooseNetwork,
      };
    case 'notWanted':
      return {
        ...row(l10n.t('Tokens: only watched ones'), 'circle-slash', {
          description: l10n.t('chosen in the settings'),
          tooltip: [
            l10n.t('The setting {0} names a source that this network does not have, or none.', TOKENS_FROM),
          ],
        }),
        command: openSettings(TOKENS_FROM),
      };
    case 'mayLack': {
      const { state, reasons } = content.completeness;
      const isPartial = state === 'partial';
      const [first = '', ...others] = completenessTexts(reasons, l10n);
      return row(
        isPartial ? l10n.t('Something held is missing') : l10n.t('Something held may be missing'),
        isPartial ? 'warning' : 'info',
        { description: first, tooltip: [first, ...others] },
      );
    }
    case 'tokensSkipped':
      return row(l10n.t('{0} entries are left out', groupDigits(content.count)), 'warning', {
        description: l10n.t(
          'not readable, or beyond the first {0}; they are missing in the total as well',
          groupDigits(MAX_LIST_ITEMS),
        ),
      });
    case 'nftsNotListed':
      return row(l10n.t('Not every token id is listed'), 'info', {
        description: l10n.t('{0} does not list them', sourceName(content.source, l10n)),
      });
    case 'moreAddresses':
      return row(l10n.t('There are more'), 'warning', {
        description: l10n.t('the search ends at {0} addresses', groupDigits(BigInt(MOST_ADDRESSES))),
      });
    case 'moreFiles':
      return row(l10n.t('There may be more'), 'warning', {
        description: l10n.t('the workspace has more files than are searched'),
      });
    case 'noAddress':
      return row(l10n.t('No address found'), 'circle-slash');
  }
}

/** A row that reads what its address holds when it is clicked, with what that costs. */
function readingRow(
  words: string,
  icon: string,
  {
    why,
    title,
    parent,
    cost,
  }: {
    readonly why: string;
    readonly title: string;
    readonly parent: NoteNode['parent'];
    readonly cost: readonly string[];
  },
): TreeRow {
  const item = row(words, icon, {
    description: `${why} · ${title}`,
    tooltip: [words, ...cost],
  });
  return parent.kind === 'address'
    ? { ...item, command: commandOf('chainside.refresh', title, parent.account) }
    : item;
}
