import {
  type Address,
  type AmbiguousName,
  type AppError,
  type ContractIndex,
  type FindCreation,
  type FindDeclaredEvents,
  type FindDeployment,
  type FirstBlock,
  findFirstBlock,
  formatShortAddress,
  type Identity,
  type IndexedDeployment,
  type LogFilter,
  logFilterToJson,
  type QueryForm,
  replaceAddressNames,
  replaceEnumMembers,
  toChecksumAddress,
  withFieldText,
} from '../../../core/index.ts';
import type { Localizer } from '../../../host/l10n.ts';
import { type FormErrors, validateQueryForm } from '../protocol/protocol.ts';

export interface ParsedForm {
  /** With addresses in place of names, and numbers in place of members of enums. */
  readonly form: QueryForm;
  readonly errors: FormErrors;
  readonly filter: LogFilter | undefined;
  /** What an empty first block means; undefined: the first block of the chain. */
  readonly first: FirstBlock | undefined;
}

interface FormMessages {
  formatError(formatError: AppError): string;
  formatAmbiguousName(name: AmbiguousName): string;
}

/** What {@link parseForm} needs from the host. */
export interface FormKnowledge {
  readonly findAddressesByName: (name: string) => readonly Address[];
  readonly findDeclaredEvents: FindDeclaredEvents;
  /** On the active chain. */
  readonly findDeployment: FindDeployment;
  /** From providers, for contracts without a known deployment. */
  readonly createdAt?: FindCreation;
  readonly messages: FormMessages;
}

/** What is known about a form's addresses without a request. */
export interface KnownAddresses {
  readonly findDeployment: FindDeployment;
  readonly createdAt?: FindCreation;
  readonly nameOf: (address: Address) => string | undefined;
  /** Whether the project has deployed a contract there, and the endpoint has no code. */
  readonly isMissing?: (address: Address) => boolean;
  /** Set if the contract is deployed on another chain. */
  readonly elsewhere:
    | { readonly message: string; readonly chainId: number; readonly chain: string }
    | undefined;
}

/**
 * Parses a form: names become addresses, members of enums become numbers, and an empty first block becomes the block of
 * the deployment.
 */
export function parseForm(typed: QueryForm, knowledge: FormKnowledge): ParsedForm {
  const { findAddressesByName, findDeclaredEvents, findDeployment, createdAt, messages } = knowledge;
  const { form: addressedForm, unclear } = replaceAddressNames(typed, findAddressesByName);
  const { form, errors: memberErrors } = replaceEnumMembers(addressedForm, findDeclaredEvents);
  const { first, filter, errors } = validateWithFirstBlock(
    form,
    findFirstBlock(form, findDeployment, createdAt),
    messages,
  );
  const nameErrors = [
    ...unclear.map((name) => [name.field, messages.formatAmbiguousName(name)] as const),
    ...memberErrors.map((error) => [error.details.field, messages.formatError(error)] as const),
  ];
  if (nameErrors.length === 0) return { form, first, filter, errors: errors ?? {} };
  return { form, first, filter: undefined, errors: { ...errors, ...Object.fromEntries(nameErrors) } };
}

/**
 * A range that ends before the deployment is used as typed: the error would point to a field that the user
 * left empty.
 */
function validateWithFirstBlock(
  form: QueryForm,
  first: FirstBlock | undefined,
  { formatError }: FormMessages,
) {
  const narrowed =
    first && validateQueryForm(withFieldText(form, 'fromBlock', first.block.toString()), formatError);
  if (!narrowed || narrowed.errors?.fromBlock !== undefined)
    return { first: undefined, ...validateQueryForm(form, formatError) };
  const { filter } = narrowed;
  return { first, ...narrowed, filter: filter && { ...filter, deployments: first?.deployments } };
}

/** Finds deployments on a chain in an index. */
export function createDeploymentLookup(index: ContractIndex | undefined, chainId: number) {
  return (address: Address): IndexedDeployment | undefined => index?.deploymentsAt(address, chainId)[0];
}

/** A filter as readable JSON-RPC: one line per field and per topic. */
export function formatFilter(filter: LogFilter): string {
  const { topics, ...others } = logFilterToJson(filter);
  const positions = topics.map((position) => `    ${formatList(position)}`);
  const fields = {
    address: formatList(others.address),
    topics: positions.length === 0 ? '[]' : `[\n${positions.join(',\n')}\n  ]`,
    fromBlock: JSON.stringify(others.fromBlock),
    toBlock: JSON.stringify(others.toBlock),
  };
  const lines = Object.entries(fields).map(([name, value]) => `  "${name}": ${value}`);
  return `{\n${lines.join(',\n')}\n}`;
}

function formatList(values: readonly string[] | null): string {
  return values ? `[${values.map((value) => JSON.stringify(value)).join(', ')}]` : 'null';
}

interface IdentityFormat {
  readonly l10n: Localizer;
  readonly nameOf: (address: Address) => string | undefined;
  /** The name of the network that was asked. */
  readonly network: string;
}

/**
 * Describes an identity in a few words: `Contract Vault`, `Proxy for Vault`, `No contract at this address on Palm`.
 * Undefined if it is unknown.
 */
export function formatIdentity(
  { kind, name, token, proxy }: Identity,
  { l10n, nameOf, network }: IdentityFormat,
): string | undefined {
  if (kind === 'account') return l10n.t('No contract at this address on {0}', network);
  if (kind === 'delegated') return l10n.t('This account delegates to a contract (EIP-7702).');
  if (kind !== 'contract') return undefined;
  const label = token?.symbol ?? token?.name;
  if (token) {
    return label === undefined
      ? l10n.t('{0} token contract', token.standard)
      : l10n.t('{0}: {1} token contract', label, token.standard);
  }
  const [implementation] = proxy?.implementations ?? [];
  if (implementation) {
    const { address } = implementation;
    const short = formatShortAddress(toChecksumAddress(address));
    return l10n.t('Proxy for {0}', nameOf(address) ?? implementation.name ?? short);
  }
  return name === undefined ? undefined : l10n.t('Contract {0}', name);
}
