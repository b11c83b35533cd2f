import {
  type Address,
  type AmbiguousName,
  type AppError,
  type ContractIndex,
  type FindAddressesByName,
  type FindCreation,
  type FindDeployment,
  type FirstBlock,
  findFirstBlock,
  type IndexedDeployment,
  type LogFilter,
  type QueryForm,
  replaceAddressNames,
  withFieldText,
} from '../../../core/index.ts';
import { checkForm, type FormProblems } from '../protocol/queryForm.ts';

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
  unclear(name: AmbiguousName): string;
}

/** What the texts of a form are read with. */
export interface FormKnowledge {
  readonly addressesNamed: FindAddressesByName;
  /** On the active chain. */
  readonly deployedAt: FindDeployment;
  /** What others tell of contracts that no deployment is known of. */
  readonly createdAt?: FindCreation;
  readonly words: FormWords;
}

/** What is known of the addresses of a form, without asking anybody. */
export interface KnownAddresses {
  readonly deployedAt: FindDeployment;
  readonly createdAt?: FindCreation;
  readonly nameOf: (address: Address) => string | undefined;
  /** That what is asked for is deployed on another chain. */
  readonly elsewhere:
    | { readonly words: string; readonly chainId: number; readonly chain: string }
    | undefined;
}

/** Reads a form: names become addresses, and an empty first block is that of the deployments asked for. */
export function readForm(typed: QueryForm, knowledge: FormKnowledge): ReadForm {
  const { addressesNamed, deployedAt, createdAt, words } = knowledge;
  const { form, unclear } = replaceAddressNames(typed, addressesNamed);
  const { first, filter, problems } = checkFrom(form, findFirstBlock(form, deployedAt, createdAt), words);
  const ofNames = unclear.map((name) => [name.field, words.unclear(name)] as const);
  if (ofNames.length === 0) return { form, first, filter, problems: problems ?? {} };
  return { form, first, filter: undefined, problems: { ...problems, ...Object.fromEntries(ofNames) } };
}

/** A range that ends before the deployment is asked for as it was typed: nothing in it was chosen wrong. */
function checkFrom(form: QueryForm, first: FirstBlock | undefined, { problem }: FormWords) {
  const later = first && checkForm(withFieldText(form, 'fromBlock', first.block.toString()), problem);
  if (!later || later.problems?.fromBlock !== undefined)
    return { first: undefined, ...checkForm(form, problem) };
  return { first, ...later };
}

/** What is deployed at an address of a chain, out of an index. */
export function deployedOn(index: ContractIndex | undefined, chainId: number) {
  return (address: Address): IndexedDeployment | undefined => index?.deploymentsAt(address, chainId)[0];
}
