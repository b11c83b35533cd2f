import * as vscode from 'vscode';
import {
  type Address,
  formatShortAddress,
  formatUnits,
  formatUnitsGrouped,
  type HistoryList,
  type HistoryMethod,
  type HistoryProvider,
  type Network,
  sanitizeText,
  type TokenTransfer,
  toChecksumAddress,
} from '../../../core/index.ts';
import { registerCommand, runCommand } from '../../../host/commands.ts';
import { showError } from '../../../host/errors.ts';
import { formatProviderName } from '../../../host/formatting.ts';
import { formatNumber } from '../../../host/numbers.ts';
import { parseAccountArgument } from '../../../host/rowArguments.ts';
import {
  askOnNetwork,
  type ChainDeps,
  getHistoryAccess,
  showTransactionOn,
} from '../../../host/session/chains.ts';
import { type PickItem, pickOne, showMessage } from '../../../host/ui/dialogs.ts';
import type { CommandId } from '../../../manifest.ts';
import type { ActiveNames, AddressBook } from '../addressBook.ts';
import { formatCompletenessReasons } from '../balances/missingData.ts';
import { type AddressTreeNode, findAddressNode } from '../tree/addressNodes.ts';
import { askForAnyAddress, findAddressUnderCursor } from './pickAddress.ts';
import { createTransferItem, type TransferDirection } from './transferItem.ts';

interface HistoryDeps extends ChainDeps {
  readonly book: AddressBook;
  readonly active: ActiveNames;
  readonly view: vscode.TreeView<AddressTreeNode>;
  readonly log: vscode.LogOutputChannel;
}

interface HistoryRequest {
  readonly address: Address;
  readonly name: string;
  readonly provider: HistoryProvider;
  /** That of the provider: the active network may change while the user picks. */
  readonly network: Network;
  readonly signal: AbortSignal;
}

/** Registers *Show Transfers* and *Show Balance over Time*. */
export function registerHistoryCommands(deps: HistoryDeps): vscode.Disposable {
  const { session, active, view, log } = deps;

  function command(
    id: CommandId,
    title: string,
    { method, show }: { method: HistoryMethod; show: (request: HistoryRequest) => Promise<void> },
  ): vscode.Disposable {
    return registerCommand(id, async (argument) => {
      try {
        const selected = view.selection[0] && findAddressNode(view.selection[0])?.account;
        const existing = parseAccountArgument(argument) ?? selected ?? findAddressUnderCursor();
        const address = existing ?? (await askOnNetwork(deps, () => askForAnyAddress(title, deps)));
        if (!address || !(await session.choose())) return;
        const { network, signal } = session.connection;
        const provider = await findProvider(session, method);
        if (!provider) return;
        const name = active.name(address) ?? formatShortAddress(toChecksumAddress(address));
        await show({ address, name, provider, network, signal });
      } catch (error) {
        await showError(error, { service: 'source', network: session.network, log });
      }
    });
  }

  return vscode.Disposable.from(
    command('chainside.showTransfers', vscode.l10n.t('Show Transfers'), {
      method: 'transfers',
      show: (request) => pickTransfer(request, deps),
    }),
    command('chainside.showBalances', vscode.l10n.t('Show Balance over Time'), {
      method: 'coinBalancesByDay',
      show: pickDay,
    }),
  );
}

/** The provider of a method; without one, says so, and lets the user set the key that one needs. */
async function findProvider(
  session: HistoryDeps['session'],
  method: HistoryMethod,
): Promise<HistoryProvider | undefined> {
  const { l10n } = vscode;
  const find = () => session.provider('history', getHistoryAccess(session.network));
  const access = await find();
  if (access.state === 'ready' && access.provider.offers[method]) return access.provider;
  if (access.state !== 'noKey' || !access.offers[method]) {
    await showMessage(
      'information',
      l10n.t(
        'Only explorers provide this data, and the endpoint of this network is not one. To see the transfers of one token, query its logs.',
      ),
    );
    return undefined;
  }
  const message = l10n.t(
    'The endpoint of this network is not an explorer. With your own API key, Etherscan lists transfers. To see those of one token, query its logs.',
  );
  const setKey = l10n.t('Set Etherscan API Key…');
  if ((await showMessage('information', message, setKey)) !== setKey) return undefined;
  await runCommand('chainside.setEtherscanKey');
  const keyed = await find();
  return keyed.state === 'ready' ? keyed.provider : undefined;
}

type TransferPick = PickItem & { readonly transfer?: TokenTransfer };

const icons: Readonly<Record<TransferDirection, string>> = {
  in: 'arrow-down',
  out: 'arrow-up',
  self: 'sync',
};

/** Lists transfers page by page, newest first; shows the transaction of the one picked. */
async function pickTransfer(
  { address, name, provider, network, signal }: HistoryRequest,
  deps: HistoryDeps,
): Promise<void> {
  const { active } = deps;
  const { l10n } = vscode;
  const list = provider.transfers(address);
  await list.next({ signal });
  for (;;) {
    const context = { address, nameOf: active.name, l10n };
    const rows = list.rows.map((transfer): TransferPick => {
      const { direction, ...item } = createTransferItem(transfer, context);
      return { ...item, transfer, iconPath: new vscode.ThemeIcon(icons[direction]) };
    });
    const more: TransferPick = { label: l10n.t('Show More…'), iconPath: new vscode.ThemeIcon('ellipsis') };
    const picked = await pickOne(list.isAtEnd ? rows : [...rows, more], {
      title: l10n.t('Transfers of {0}', name),
      placeHolder: formatPlaceholder(list),
      matchOnDescription: true,
      matchOnDetail: true,
    });
    if (!picked) return;
    if (picked.transfer) {
      await showTransactionOn(deps, network, picked.transfer.transactionHash);
      return;
    }
    await list.next({ signal });
  }
}

function formatPlaceholder({ rows, isAtEnd, reasons, source }: HistoryList<TokenTransfer>): string {
  const { l10n } = vscode;
  const count = formatNumber(rows.length);
  const from = formatProviderName(source, l10n);
  if (isAtEnd && rows.length === 1) {
    const only = l10n.t('1 transfer, from {0}. Select it to open its transaction.', from);
    return [only, ...formatCompletenessReasons(reasons, l10n)].join(' ');
  }
  const summary = isAtEnd
    ? l10n.t('{0} transfers, from {1}. Select a transfer to open its transaction.', count, from)
    : l10n.t('The newest {0} transfers, from {1}. Select a transfer to open its transaction.', count, from);
  return [summary, ...formatCompletenessReasons(reasons, l10n)].join(' ');
}

/** Lists the balance of each day that has one, newest first; copies the exact one picked. */
async function pickDay({ address, name, provider, network, signal }: HistoryRequest): Promise<void> {
  const { l10n } = vscode;
  const { decimals, symbol } = network;
  const { days, reasons } = await provider.coinBalancesByDay(address, { signal });
  const reasonLines = formatCompletenessReasons(reasons, l10n);
  const rows = days.map(({ date, wei }) => ({
    label: `${formatUnitsGrouped(wei, decimals)} ${sanitizeText(symbol)}`,
    description: date,
    wei,
  }));
  if (rows.length === 0) {
    const message = l10n.t('The explorer has no balance history for {0}.', name);
    await showMessage('information', [message, ...reasonLines].join(' '));
    return;
  }
  const picked = await pickOne(rows, {
    title: l10n.t('Daily Maximum Balance of {0} (UTC)', name),
    placeHolder: [
      l10n.t(
        'From {0}. The newest day shows its latest balance. Select a day to copy the balance.',
        formatProviderName(provider.label, l10n),
      ),
      ...reasonLines,
    ].join(' '),
    matchOnDescription: true,
  });
  if (picked) await runCommand('chainside.copyValue', formatUnits(picked.wei, decimals));
}
