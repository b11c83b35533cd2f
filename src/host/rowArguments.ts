import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { type Address, requireAddress } from '../core/index.ts';

/** What menu commands read from a tree row. A row has the fields that apply to it. */
export interface RowArgument {
  /** The address of the row, or of the row above it. */
  readonly account: Address | undefined;
  /** Of a holding: the contract of the token or NFT. */
  readonly contract: Address | undefined;
  /** Of an NFT. */
  readonly tokenId: string | undefined;
  /** Of an NFT or its contract: the token standard. */
  readonly standard: string | undefined;
  /** What *Copy Value* copies. */
  readonly copyText: string | undefined;
  /** The amount in smallest units. */
  readonly rawAmount: string | undefined;
  readonly place: FileLocation | undefined;
  /** Set where it may differ from the active chain. */
  readonly chainId: number | undefined;
  /** Of a row of the Contracts view. */
  readonly contractName: string | undefined;
}

/**
 * Parses the tree row that a menu passes to a command.
 *
 * @returns undefined where `argument` is not a row: other menus pass the URI of the document.
 * @throws AppError `badInput` when a field is not a valid address.
 */
export function parseRowArgument(argument: unknown): RowArgument | undefined {
  const row = Row.safeParse(argument).data;
  return (
    row && {
      account: toAddress(row.account ?? row.parent?.account),
      contract: toAddress(row.contract),
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
 * Parses the address that a command was called with: a text, or a row, where the contract of a holding comes first.
 *
 * @returns undefined where there is none.
 * @throws AppError `badInput` when a text or field is not a valid address.
 */
export function parseAddressArgument(argument: unknown): Address | undefined {
  if (typeof argument === 'string') return requireAddress(argument);
  const row = parseRowArgument(argument);
  return row?.contract ?? row?.account;
}

/** As {@link parseAddressArgument}, but of a holding the address that owns it. */
export function parseAccountArgument(argument: unknown): Address | undefined {
  return typeof argument === 'string' ? requireAddress(argument) : parseRowArgument(argument)?.account;
}

/** As {@link parseAddressArgument}, but of a row only the contract of a holding. */
export function parseContractArgument(argument: unknown): Address | undefined {
  return typeof argument === 'string' ? requireAddress(argument) : parseRowArgument(argument)?.contract;
}

function toAddress(text: string | undefined): Address | undefined {
  return text === undefined ? undefined : requireAddress(text);
}

/** Whether `argument` is a tree row. A button in the title of a view passes the focused row. */
export function isTreeRow(argument: unknown): boolean {
  return typeof argument === 'object' && argument !== null && 'kind' in argument;
}

export interface FileLocation {
  readonly uri: vscode.Uri;
  /** From 0. */
  readonly line: number;
}

/**
 * The row of the active view that has the focus, for a key binding. The editor exposes the selection only, and the
 * arrow keys move the focus alone. So this runs the command that toggles the focused row in the selection,
 * compares, and toggles it back.
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
