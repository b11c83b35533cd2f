import * as vscode from 'vscode';
import * as z from 'zod/mini';
import {
  type Address,
  requireAddress,
  toAbiWord,
  toChecksumAddress,
  transferEvents,
} from '../../../core/index.ts';
import { registerCommand, runCommand } from '../../../host/commands/commands.ts';
import type { CommandId } from '../../../manifest.ts';
import type { TreeNode } from '../tree/addressNodes.ts';

/** The part of a row of something held that the commands on it need; `address` is the contract. */
const Row = z.object({
  address: z.string(),
  holder: z.string(),
  rawAmount: z.optional(z.string()),
  tokenId: z.optional(z.string()),
  collection: z.optional(z.object({ standard: z.optional(z.string()) })),
  parent: z.optional(z.object({ collection: z.optional(z.object({ standard: z.optional(z.string()) })) })),
});

interface HeldRow {
  readonly contract: Address;
  readonly holder: Address;
  readonly rawAmount: string | undefined;
  readonly tokenId: string | undefined;
  readonly multiToken: boolean;
}

/** The commands on one holding: the row of the menu, or the selected one where a key binding runs them. */
export function registerHoldingCommands(view: vscode.TreeView<TreeNode>): vscode.Disposable {
  function command(id: CommandId, act: (row: HeldRow) => unknown): vscode.Disposable {
    return registerCommand(id, (argument) => {
      const row = readRow(argument ?? view.selection[0]);
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

function readRow(argument: unknown): HeldRow | undefined {
  const parsed = Row.safeParse(argument);
  if (!parsed.success) return undefined;
  const { address, holder, rawAmount, tokenId, collection, parent } = parsed.data;
  const standard = (collection ?? parent?.collection)?.standard;
  return {
    contract: requireAddress(address),
    holder: requireAddress(holder),
    rawAmount,
    tokenId,
    multiToken: standard === 'erc1155',
  };
}

const { transfer, transferSingle, transferBatch } = transferEvents;
const transferOfMany = [transferSingle.topic0, transferBatch.topic0];

/** ERC-20 and ERC-721 name the two sides first; ERC-1155 names the operator before them, and ids in the data only. */
async function queryTransfers(row: HeldRow, side: 'from' | 'to'): Promise<void> {
  const { contract, holder, tokenId, multiToken } = row;
  const sides = side === 'from' ? [holder, null] : [null, holder];
  const filter = multiToken
    ? { topics: [transferOfMany, null, ...sides] }
    : {
        event: transfer.signature,
        topics: [null, ...sides, tokenId === undefined ? null : toAbiWord(BigInt(tokenId))],
      };
  await runCommand('chainside.queryLogs', { address: toChecksumAddress(contract), ...filter, run: true });
}
