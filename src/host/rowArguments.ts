import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { type Address, requireAddress } from '../core/index.ts';

/**
 * The row of the view in front that a key is meant for. The editor tells which rows are selected, not which one has the focus,
 * which the arrow keys move alone: it is the one that its command adds to the selection, or takes out of it.
 */
export async function findFocusedRow<T>(
  view: Pick<vscode.TreeView<T>, 'selection'>,
  idOf: (row: T) => string,
): Promise<T | undefined> {
  const before = view.selection;
  await vscode.commands.executeCommand(TOGGLE);
  const after = view.selection;
  const isIn = (rows: readonly T[], row: T) => rows.some((other) => idOf(other) === idOf(row));
  const row = after.find((one) => !isIn(before, one)) ?? before.find((one) => !isIn(after, one));
  if (row) await vscode.commands.executeCommand(TOGGLE);
  return row;
}

const TOGGLE = 'list.toggleSelection';

/** Where something stands in a file of the workspace. */
export interface FileLocation {
  readonly uri: vscode.Uri;
  /** From 0. */
  readonly line: number;
}

/** What the commands in the menus of trees take from a row. A row has of it what it stands for. */
export interface RowArgument {
  /** The address that the row is of, or stands under. */
  readonly account: Address | undefined;
  /** Of a row of something held: the contract of the token or of the NFT. */
  readonly contract: Address | undefined;
  /** Of an NFT, as the row has it. */
  readonly tokenId: string | undefined;
  /** The token's standard, where the row is of an NFT or its contract. */
  readonly standard: string | undefined;
  /** What *Copy Value* copies. */
  readonly copyText: string | undefined;
  /** The amount in smallest units. */
  readonly rawAmount: string | undefined;
  readonly place: FileLocation | undefined;
  /** The chain that the row is of, where it may be another than the active one. */
  readonly chainId: number | undefined;
  /** Of a row of the Contracts view: what its contract is called. */
  readonly contractName: string | undefined;
}

const optionalText = z.optional(z.string());
const TokenId = z.union([z.string(), z.bigint(), z.int().check(z.minimum(0))]);
const Row = z.object({
  account: optionalText,
  contract: optionalText,
  tokenId: z.optional(TokenId),
  standard: optionalText,
  copyText: optionalText,
  rawAmount: optionalText,
  chainId: z.optional(z.int().check(z.minimum(1))),
  contractName: optionalText,
  occurrence: z.optional(
    z.object({
      uri: z.custom<vscode.Uri>((value) => value instanceof vscode.Uri),
      line: z.int().check(z.minimum(0)),
    }),
  ),
  parent: z.optional(z.object({ account: optionalText })),
});

/**
 * The row of a tree that a menu handed to a command.
 *
 * @returns undefined where `argument` is none: the editor's other menus hand over the URI of the document.
 * @throws AppError `badInput` when it names an address that is none.
 */
export function parseRowArgument(argument: unknown): RowArgument | undefined {
  const row = Row.safeParse(argument).data;
  return (
    row && {
      account: addressOf(row.account ?? row.parent?.account),
      contract: addressOf(row.contract),
      tokenId: row.tokenId?.toString(),
      standard: row.standard,
      copyText: row.copyText,
      rawAmount: row.rawAmount,
      place: row.occurrence,
      chainId: row.chainId,
      contractName: row.contractName,
    }
  );
}

/**
 * The address that a command was given: as text, or by a row, where it is the contract of something held.
 *
 * @returns undefined where none was given.
 * @throws AppError `badInput` when something was given that is no address.
 */
export function parseAddressArgument(argument: unknown): Address | undefined {
  if (typeof argument === 'string') return requireAddress(argument);
  const row = parseRowArgument(argument);
  return row?.contract ?? row?.account;
}

/** As {@link parseAddressArgument}, but of a row of something held the address that holds it. */
export function parseAccountArgument(argument: unknown): Address | undefined {
  return typeof argument === 'string' ? requireAddress(argument) : parseRowArgument(argument)?.account;
}

/** As {@link parseAddressArgument}, but only of a row of something held: that of an address names no contract. */
export function parseContractArgument(argument: unknown): Address | undefined {
  return typeof argument === 'string' ? requireAddress(argument) : parseRowArgument(argument)?.contract;
}

function addressOf(text: string | undefined): Address | undefined {
  return text === undefined ? undefined : requireAddress(text);
}

/** Whether a view handed over one of its rows: a button of its title does so with the row that has the focus. */
export function isTreeRow(argument: unknown): boolean {
  return typeof argument === 'object' && argument !== null && 'kind' in argument;
}
