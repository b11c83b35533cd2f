import { splitTexts } from '../logs/query/listTexts.ts';
import type { QueryForm } from '../logs/query/queryForm.ts';
import { type Address, parseAddress } from '../values/address.ts';

/** The block from which an empty field asks, and the contract that was created in it, where it has a name. */
export interface FirstBlock {
  readonly block: bigint;
  readonly contract: string | undefined;
}

/** What is deployed at an address of the chain that is asked. */
export type DeployedAt = (
  address: Address,
) => { readonly block?: bigint | undefined; readonly contract?: string | undefined } | undefined;
/** What others tell of contracts that no deployment is known of. */
export type CreatedAt = (address: Address) => FirstBlock | undefined;

/**
 * The block of the first deployment that a form asks for; undefined where one is not known, or a block is typed. Nothing
 * is lost by asking from there: a contract has no logs before it is there.
 *
 * @example firstBlock({ ...form, address: vault }, deployedAt)?.block; // the block that made the vault
 */
export function firstBlock(
  form: Pick<QueryForm, 'address' | 'fromBlock'>,
  deployedAt: DeployedAt,
  createdAt: CreatedAt = () => undefined,
): FirstBlock | undefined {
  if (form.fromBlock.trim() !== '') return undefined;
  let first: FirstBlock | undefined;
  for (const text of splitTexts(form.address)) {
    const address = parseAddress(text);
    if (!address) return undefined;
    const { block, contract } = deployedAt(address) ?? {};
    const known = block === undefined ? createdAt(address) : { block, contract };
    if (!known) return undefined;
    if (!first || known.block < first.block) first = known;
  }
  return first;
}
