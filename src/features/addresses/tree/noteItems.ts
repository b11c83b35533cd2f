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
import { createCommand } from '../../../host/commands.ts';
import {
  chooseNetworkRemedy,
  createSettingsRemedy,
  describeError,
  setKeyRemedy,
  watchTokenRemedy,
} from '../../../host/errors.ts';
import { formatProviderName } from '../../../host/formatting.ts';
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

/** Says what is missing and why; a click runs the remedy. */
export function createNoteRow(
  { content, parent }: AddressNoteNode,
  { network, price, clock }: NoteContext,
): TreeRow {
  if (!('error' in content)) return createTextNoteRow(content, parent, formatHoldingsCost(price));
  const described = describeError(content.error, { service: 'source', network });
  const isTransient = isTemporary(asAppError(content.error));
  const remedy =
    isTransient && parent.kind === 'address'
      ? createCommand('chainside.refresh', vscode.l10n.t('Try Again'), parent.account)
      : described.remedies[0];
  const previousBalances = content.note === 'tokensFailed' ? content.kept?.holdings.balances : undefined;
  const reason = previousBalances
    ? `${formatLastRead(previousBalances, clock)} · ${described.reason}`
    : described.reason;
  return createErrorRow(describeNoteError(content), { ...described, reason }, remedy);
}

function describeNoteError(content: ErrorNote): string {
  if (content.note === 'nftsFailed') return vscode.l10n.t('NFTs not loaded');
  return content.kept ? vscode.l10n.t('Tokens not read again') : vscode.l10n.t('Tokens not loaded');
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
      const reason = l10n.t('Token balances come from the data API, which asks for a key.');
      return {
        ...createRow(l10n.t('Tokens: no key'), 'key', {
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
      return createReadRow(l10n.t('Tokens not read'), 'circle-outline', {
        reason: l10n.t('several addresses are open'),
        title: l10n.t('Read Tokens'),
        parent,
        cost,
      });
    case 'otherCurrency':
      return createReadRow(l10n.t('Values are still in {0}', content.is), 'info', {
        reason: l10n.t('{0} is chosen', content.wanted),
        title: l10n.t('Refresh'),
        parent,
        cost,
      });
    case 'noEthCall':
      return createRow(l10n.t('Watched tokens not read'), 'circle-slash', {
        description: l10n.t('the endpoint has no eth_call'),
      });
    case 'noNetwork':
      return {
        ...createRow(chooseNetworkRemedy.title, 'globe', {
          tooltip: [l10n.t('Balances and tokens are read from the network that you choose.')],
        }),
        command: chooseNetworkRemedy,
      };
    case 'notWanted':
      return {
        ...createRow(l10n.t('Tokens: only watched ones'), 'circle-slash', {
          description: l10n.t('chosen in the settings'),
          tooltip: [
            l10n.t(
              'The setting {0} names a source that this network does not have, or none.',
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
        isPartial ? l10n.t('Something held is missing') : l10n.t('Something held may be missing'),
        isPartial ? 'warning' : 'info',
        { description: first, tooltip: [first, ...others] },
      );
    }
    case 'tokensSkipped':
      return createRow(l10n.t('{0} entries are left out', groupDigits(content.count)), 'warning', {
        description: l10n.t(
          'not readable, or beyond the first {0}; they are missing in the total as well',
          groupDigits(MAX_LIST_ITEMS),
        ),
      });
    case 'nftsNotListed':
      return createRow(l10n.t('Not every token id is listed'), 'info', {
        description: l10n.t('{0} does not list them', formatProviderName(content.source, l10n)),
      });
    case 'moreAddresses':
      return createRow(l10n.t('There are more'), 'warning', {
        description: l10n.t('the search ends at {0} addresses', groupDigits(BigInt(MAX_ADDRESSES))),
      });
    case 'moreFiles':
      return createRow(l10n.t('There may be more'), 'warning', {
        description: l10n.t('the workspace has more files than are searched'),
      });
    case 'noAddress':
      return createRow(l10n.t('No address found'), 'circle-slash');
  }
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
