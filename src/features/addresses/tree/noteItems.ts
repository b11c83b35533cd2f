import * as vscode from 'vscode';
import {
  asAppError,
  type Clock,
  isTemporary,
  MAX_LIST_ITEMS,
  type Network,
  type Price,
} from '../../../core/index.ts';
import { createCommand } from '../../../host/commands.ts';
import {
  chooseNetworkRemedy,
  createSettingsRemedy,
  describeError,
  setKeyRemedy,
  watchTokenRemedy,
} from '../../../host/errors.ts';
import { formatProviderName } from '../../../host/formatting.ts';
import { formatNumber } from '../../../host/numbers.ts';
import { MAX_ADDRESSES } from '../../../host/places/workspaceAddresses.ts';
import type { TreeRow } from '../../../host/ui/tree.ts';
import { createErrorRow, createRow } from '../../../host/ui/treeItem.ts';
import type { SettingId } from '../../../manifest.ts';
import { formatHoldingsCost } from '../balances/balanceStore.ts';
import { formatLastRead } from '../balances/formatBalance.ts';
import { formatCompletenessReasons, formatNoTokenData } from '../balances/missingData.ts';
import type { AddressNoteNode, ErrorNote, TextNote } from './addressNodes.ts';

const TOKEN_PROVIDER_SETTING: SettingId = 'chainside.sources.tokens';

interface NoteContext {
  readonly network: Network;
  readonly price: Price | undefined;
  readonly clock: Pick<Clock, 'now'>;
}

/** Shows what is missing and why; a click runs the remedy. */
export function createNoteRow(
  { content, parent }: AddressNoteNode,
  { network, price, clock }: NoteContext,
): TreeRow {
  if (!('error' in content)) return createTextNoteRow(content, parent, formatHoldingsCost(price));
  const described = describeError(content.error, { service: 'source', network });
  const isTransient = isTemporary(asAppError(content.error));
  const remedy =
    isTransient && parent.kind === 'address'
      ? createCommand('chainside.refresh', vscode.l10n.t('Retry'), parent.account)
      : described.remedies[0];
  const previousBalances = content.note === 'tokensFailed' ? content.kept?.holdings.balances : undefined;
  const reason = previousBalances
    ? `${formatLastRead(previousBalances, clock)} · ${described.reason}`
    : described.reason;
  return createErrorRow(describeNoteError(content), { ...described, reason }, remedy);
}

function describeNoteError(content: ErrorNote): string {
  if (content.note === 'nftsFailed') return vscode.l10n.t('Could not load NFTs');
  return content.kept ? vscode.l10n.t('Could not refresh tokens') : vscode.l10n.t('Could not load tokens');
}

function createTextNoteRow(
  content: TextNote,
  parent: AddressNoteNode['parent'],
  cost: readonly string[],
): TreeRow {
  const { l10n } = vscode;
  switch (content.note) {
    case 'tokensLoading':
      return createRow(l10n.t('Tokens…'), 'loading~spin');
    case 'noTokens':
      return createRow(l10n.t('No tokens'), 'circle-slash');
    case 'noKey': {
      const reason = l10n.t('Token balances come from the data API, which requires a key.');
      return {
        ...createRow(l10n.t('Tokens: key required'), 'key', {
          description: setKeyRemedy.title,
          tooltip: [reason, ...cost],
        }),
        command: setKeyRemedy,
      };
    }
    case 'notServed': {
      const { short, whole } = formatNoTokenData(l10n);
      return {
        ...createRow(l10n.t('No token data'), 'circle-slash', {
          description: `${short} · ${watchTokenRemedy.title}`,
          tooltip: [whole],
        }),
        command: watchTokenRemedy,
      };
    }
    case 'notAsked':
      return createReadRow(l10n.t('Tokens not loaded'), 'circle-outline', {
        reason: l10n.t('several addresses are expanded'),
        title: l10n.t('Load Tokens'),
        parent,
        cost,
      });
    case 'otherCurrency':
      return createReadRow(l10n.t('Values are still in {0}', content.is), 'info', {
        reason: l10n.t('{0} is selected', content.wanted),
        title: l10n.t('Refresh'),
        parent,
        cost,
      });
    case 'noEthCall':
      return createRow(l10n.t('Watched tokens not loaded'), 'circle-slash', {
        description: l10n.t('the endpoint does not support eth_call'),
      });
    case 'noNetwork':
      return {
        ...createRow(chooseNetworkRemedy.title, 'globe', {
          tooltip: [l10n.t('Chainside loads balances and tokens from the network that you choose.')],
        }),
        command: chooseNetworkRemedy,
      };
    case 'notWanted':
      return {
        ...createRow(l10n.t('Only watched tokens'), 'circle-slash', {
          description: l10n.t('set in the settings'),
          tooltip: [
            l10n.t(
              'The setting {0} excludes the token data provider of this network.',
              TOKEN_PROVIDER_SETTING,
            ),
          ],
        }),
        command: createSettingsRemedy(TOKEN_PROVIDER_SETTING),
      };
    case 'mayLack': {
      const { state, reasons } = content.completeness;
      const isPartial = state === 'partial';
      const [first = '', ...others] = formatCompletenessReasons(reasons, l10n);
      return createRow(
        isPartial ? l10n.t('Some holdings are missing') : l10n.t('Some holdings may be missing'),
        isPartial ? 'warning' : 'info',
        { description: first, tooltip: [first, ...others] },
      );
    }
    case 'tokensSkipped':
      return createRow(formatSkippedEntries(content.count), 'warning', {
        description: l10n.t(
          'unreadable or beyond the first {0}; not included in the total',
          formatNumber(MAX_LIST_ITEMS),
        ),
      });
    case 'nftsNotListed':
      return createRow(l10n.t('Some token IDs are not listed'), 'info', {
        description: l10n.t('{0} does not list them', formatProviderName(content.source, l10n)),
      });
    case 'moreAddresses':
      return createRow(l10n.t('More addresses exist'), 'warning', {
        description: l10n.t('the search stops at {0} addresses', formatNumber(BigInt(MAX_ADDRESSES))),
      });
    case 'moreFiles':
      return createRow(l10n.t('More addresses may exist'), 'warning', {
        description: l10n.t('the workspace has too many files to search them all'),
      });
    case 'noAddress':
      return createRow(l10n.t('No addresses found'), 'circle-slash');
  }
}

function formatSkippedEntries(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 entry is not shown')
    : vscode.l10n.t('{0} entries are not shown', formatNumber(count));
}

/** A click loads the holdings of the address; the tooltip shows the cost. */
function createReadRow(
  label: string,
  icon: string,
  {
    reason,
    title,
    parent,
    cost,
  }: {
    readonly reason: string;
    readonly title: string;
    readonly parent: AddressNoteNode['parent'];
    readonly cost: readonly string[];
  },
): TreeRow {
  const item = createRow(label, icon, {
    description: `${reason} · ${title}`,
    tooltip: [label, ...cost],
  });
  return parent.kind === 'address'
    ? { ...item, command: createCommand('chainside.refresh', title, parent.account) }
    : item;
}
