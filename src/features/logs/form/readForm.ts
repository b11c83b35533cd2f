import {
  type Address,
  type AppError,
  type ContractIndex,
  type IndexedDeployment,
  type LogFilter,
  parseAddress,
  splitTexts,
} from '../../../core/index.ts';
import type { AddressesNamed, UnclearName } from '../protocol/namedAddresses.ts';
import { withAddresses } from '../protocol/namedAddresses.ts';
import { checkForm, type FormProblems, type QueryForm, withText } from '../protocol/queryForm.ts';

/** A form read with all that is known. */
export interface ReadForm {
  /** With addresses for names. */
  readonly form: QueryForm;
  readonly problems: FormProblems;
  readonly filter: LogFilter | undefined;
  /** The block from which an empty field asks; undefined: from the first of the chain. */
  readonly first: FirstBlock | undefined;
}

interface FormWords {
  problem(problem: AppError): string;
  unclear(name: UnclearName): string;
}

/** What the texts of a form are read with. */
export interface FormKnowledge {
  readonly addressesNamed: AddressesNamed;
  /** On the active chain. */
  readonly deployedAt: DeployedAt;
  readonly words: FormWords;
}

/** What is known of the addresses of a form, without asking anybody. */
export interface KnownAddresses {
  readonly deployedAt: DeployedAt;
  readonly nameOf: (address: Address) => string | undefined;
  /** That what is asked for is deployed on another chain. */
  readonly elsewhere:
    | { readonly words: string; readonly chainId: number; readonly chain: string }
    | undefined;
}

export type DeployedAt = (address: string) => IndexedDeployment | undefined;

/** Reads a form: names become addresses, and an empty first block is that of the deployments asked for. */
export function readForm(typed: QueryForm, { addressesNamed, deployedAt, words }: FormKnowledge): ReadForm {
  const { form, unclear } = withAddresses(typed, addressesNamed);
  const { first, filter, problems } = checkFrom(form, firstBlock(form, deployedAt), words);
  const ofNames = unclear.map((name) => [name.field, words.unclear(name)] as const);
  if (ofNames.length === 0) return { form, first, filter, problems: problems ?? {} };
  return { form, first, filter: undefined, problems: { ...problems, ...Object.fromEntries(ofNames) } };
}

/** A range that ends before the deployment is asked for as it was typed: nothing in it was chosen wrong. */
function checkFrom(form: QueryForm, first: FirstBlock | undefined, { problem }: FormWords) {
  const later = first && checkForm(withText(form, 'fromBlock', first.block.toString()), problem);
  if (!later || later.problems?.fromBlock !== undefined)
    return { first: undefined, ...checkForm(form, problem) };
  return { first, ...later };
}

/** The block from which an empty field asks, and which deployment it is of. */
export interface FirstBlock {
  readonly block: bigint;
  readonly deployment: IndexedDeployment;
}

/** The block of the first deployment asked for; undefined where one is not known, or a block is typed. */
export function firstBlock(form: QueryForm, deployedAt: DeployedAt): FirstBlock | undefined {
  if (form.fromBlock.trim() !== '') return undefined;
  let first: FirstBlock | undefined;
  for (const text of splitTexts(form.address)) {
    const address = parseAddress(text);
    const deployment = address && deployedAt(address);
    if (deployment?.block === undefined) return undefined;
    const { block } = deployment;
    if (!first || block < first.block) first = { block, deployment };
  }
  return first;
}

/** What is deployed at an address of a chain, out of an index. */
export function deployedOn(index: ContractIndex | undefined, chainId: number): DeployedAt {
  return (text) => {
    const address = parseAddress(text);
    return address && index?.deploymentsAt(address, chainId)[0];
  };
}
