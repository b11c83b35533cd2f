import * as vscode from 'vscode';
import { type Address, toAbiWord, toChecksumAddress, transferEvents } from '../../../core/index.ts';
import { registerCommand, runCommand } from '../../../host/commands/commands.ts';
import { type RowArgument, readRow } from '../../../host/commands/rowArguments.ts';
import type { CommandId } from '../../../manifest.ts';
import type { TreeNode } from '../tree/addressNodes.ts';

/** A row of something held. */
type HeldRow = RowArgument & { readonly contract: Address; readonly account: Address };

/** The commands on one holding: the row of the menu, or the selected one where a key binding runs them. */
export function registerHoldingCommands(view: vscode.TreeView<TreeNode>): vscode.Disposable {
  function command(id: CommandId, act: (row: HeldRow) => unknown): vscode.Disposable {
    return registerCommand(id, (argument) => {
      const row = readHeldRow(argument ?? view.selection[0]);
      return row && act(row);
    });
  }

  return vscode.Disposable.from(
    command(
      'chainside.copyRawAmount',
      ({ rawAmount }) => rawAmount && runCommand('chainside.copyValue', rawAmount),
    ),
    command('chainside.copyContract', ({ contract }) =>
      runCommand('chainside.copyValue', toChecksumAddress(contract)),
    ),
    command('chainside.queryTransfersTo', (row) => queryTransfers(row, 'to')),
    command('chainside.queryTransfersFrom', (row) => queryTransfers(row, 'from')),
  );
}

function readHeldRow(argument: unknown): HeldRow | undefined {
  const row = readRow(argument);
  const { contract, account } = row ?? {};
  return row && contract && account ? { ...row, contract, account } : undefined;
}

const { transfer, transferSingle, transferBatch } = transferEvents;
const transferOfMany = [transferSingle.topic0, transferBatch.topic0];

/** ERC-20 and ERC-721 name the two sides first; ERC-1155 names the operator before them, and ids in the data only. */
async function queryTransfers(row: HeldRow, side: 'from' | 'to'): Promise<void> {
  const { contract, account, tokenId, standard } = row;
  const sides = side === 'from' ? [account, null] : [null, account];
  const filter =
    standard === 'erc1155'
      ? { topics: [transferOfMany, null, ...sides] }
      : {
          event: transfer.signature,
          topics: [null, ...sides, tokenId === undefined ? null : toAbiWord(BigInt(tokenId))],
        };
  await runCommand('chainside.queryLogs', { address: toChecksumAddress(contract), ...filter, run: true });
}
