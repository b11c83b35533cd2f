import { createMessage, foreign, type Message } from '../base/text.ts';
import { runToEnd } from '../base/timeSlices.ts';
import type { Address } from '../eth/hex.ts';
import { toChecksumAddress } from '../eth/keccak.ts';
import type { ContractIndex } from '../project/index/contractIndex.ts';
import { type DeployedContract, groupDeployments } from '../project/index/deployedContracts.ts';
import { compareNewestFirst, listNewest, type OrderedDeployment } from '../project/index/deploymentTable.ts';
import type { IndexedDeployment } from '../project/index/joinContracts.ts';
import { getBaseName } from '../project/layout.ts';

/** A name of an address. */
export interface NameEntry {
  readonly name: string;
  readonly address: Address;
  /** Of a deployment; undefined for labels and accounts. */
  readonly deployment?: OrderedDeployment & Partial<Pick<IndexedDeployment, 'transaction'>>;
}

export interface NameOptions {
  /** Whether a name of several deployments is ambiguous, also where one is newer. */
  readonly isStrict?: boolean;
}

/**
 * The addresses that a name means, each once. Exact names come before names in another letter case. If several runs
 * deployed contracts of this name, the newest run counts. A part after `@` picks one: the file or the time of its run, its
 * block, or the start of its address.
 *
 * @example findAddressesByName('vault', [{ name: 'Vault', address: '0x12' }]) // ['0x12']
 * @example findAddressesByName('Vault@0x12ab', entries); // the deployment at 0x12ab…
 */
export function findAddressesByName(
  text: string,
  entries: readonly NameEntry[],
  { isStrict = false }: NameOptions = {},
): readonly Address[] {
  const whole = findEntries(text, entries);
  if (whole.length > 0) return toAddresses(isStrict ? whole : pickNewest(whole));
  const [, name, suffix] = /^(.+)@([^@]+)$/s.exec(text) ?? [];
  if (name === undefined || suffix === undefined) return [];
  const named = findEntries(name.trim(), entries);
  const wanted = suffix.trim().toLowerCase();
  const picked = named.filter((one) => isPicked(one, wanted));
  // The record may be of the other file of the same run.
  const isNewest = /^(?:latest|run-latest(?:\.json)?)$/.test(wanted);
  return toAddresses(isNewest && picked.length === 0 ? pickNewest(named) : picked);
}

/** All addresses of a name. {@link findAddressesByName} takes the newest deployment among them. */
export function listNamed(name: string, entries: readonly NameEntry[]): readonly Address[] {
  return toAddresses(findEntries(name, entries));
}

/**
 * A text that means one of several addresses of a name, with as many digits as that needs.
 *
 * @example formatPickedName('Token', '0x12ab34cd', ['0x12ab34cd', '0x56']) // 'Token@0x12ab34'
 */
export function formatPickedName(name: string, address: Address, all: readonly Address[]): string {
  let length = MIN_PREFIX_CHARS;
  while (all.some((other) => other !== address && other.startsWith(address.slice(0, length)))) length++;
  return `${name}@${address.slice(0, length)}`;
}

/**
 * The name that means an address: `Token`, or `Token@0x12ab34` where `Token` means another one, or several.
 *
 * @param alike all addresses that are shown by this name. The implementation of proxies is called as they are, but its
 * name does not mean it.
 * @example formatDistinctName({ name: 'Vault', address: '0x12ab34cd' }, [], ['0x12ab34cd', '0x56']) // 'Vault@0x12ab34'
 */
export function formatDistinctName(
  { name, address }: Pick<NameEntry, 'address' | 'name'>,
  entries: readonly NameEntry[],
  alike: readonly Address[] = [],
): string {
  const named = listNamed(name, entries);
  const all = named.includes(address) ? named : alike;
  if (all.length < 2) return name;
  const [only, ...others] = findAddressesByName(name, entries);
  return only === address && others.length === 0 ? name : formatPickedName(name, address, all);
}

/** `0x` and six hex digits. */
const MIN_PREFIX_CHARS = 8;

function findEntries(name: string, entries: readonly NameEntry[]): readonly NameEntry[] {
  const exact = entries.filter((entry) => entry.name === name);
  const lower = name.toLowerCase();
  return exact.length > 0 ? exact : entries.filter((entry) => entry.name.toLowerCase() === lower);
}

const toAddresses = (entries: readonly NameEntry[]) => [...new Set(entries.map(({ address }) => address))];

/**
 * Why a name that files give deployments means no address of a chain: the chain contradicts their records, or they are of
 * other chains. Undefined if no file has the name.
 *
 * @example explainMissingName('Token', index, 31337)
 */
export function explainMissingName(
  text: string,
  index: Pick<ContractIndex, 'deploymentRecords'>,
  chainId: number,
): Message | undefined {
  const name = text
    .trim()
    .replace(/@[^@]*$/s, '')
    .trim();
  const lower = name.toLowerCase();
  const records = index.deploymentRecords.filter(({ contract }) => contract?.toLowerCase() === lower);
  const [first] = records.filter((one) => one.chainId === String(chainId)).toSorted(compareNewestFirst);
  if (!first) {
    const chains = [...new Set(records.map((one) => one.chainId))].slice(0, MAX_LISTED_CHAINS).join(', ');
    if (records.length === 0) return undefined;
    return createMessage(
      '{0} is deployed on other chains ({1}), not on this one ({2}).',
      foreign(name, 80),
      foreign(chains),
      chainId,
    );
  }
  const place = [foreign(name, 80), toChecksumAddress(first.address)] as const;
  if (first.state === 'missing')
    return createMessage('{0} is not on this node: there is no code at {1}. Deploy it again.', ...place);
  return first.state === 'replaced'
    ? createMessage('{0} is not on this node: another contract is at {1}.', ...place)
    : undefined;
}

const MAX_LISTED_CHAINS = 5;

/** All of them if nothing says which is the newest. */
function pickNewest(entries: readonly NameEntry[]): readonly NameEntry[] {
  const deployments = entries.flatMap(({ deployment }) => deployment ?? []);
  if (deployments.length < entries.length) return entries;
  const newest = new Set(listNewest(deployments));
  return entries.filter(({ deployment }) => deployment && newest.has(deployment));
}

function isPicked({ address, deployment }: NameEntry, suffix: string): boolean {
  if (/^0x[0-9a-f]{1,40}$/.test(suffix)) return address.startsWith(suffix);
  if (!deployment) return false;
  const { block, file, time } = deployment;
  const run = suffix.replace(/\.json$/, '');
  const runs = [
    getBaseName(file)
      .toLowerCase()
      .replace(/\.json$/, ''),
    ...(time ? [`run-${time}`, `run-${time / 1000}`] : []),
  ];
  return runs.includes(run) || (block !== undefined && block.toString() === suffix);
}

/**
 * The names that a project gives addresses of a chain: contracts of deployments, and labels. The name of a contract behind
 * proxies means the proxies that run it.
 */
export function listNameEntries(
  index: Pick<
    ContractIndex,
    'contractOf' | 'contractWithKey' | 'deploymentRecords' | 'deployments' | 'labels'
  >,
  chainId: number,
): readonly NameEntry[] {
  const chain = String(chainId);
  const hasProxies = index.deployments.some((one) => isHere(one) && one.runs);
  // Each query reads the names; only a check of the chain finds proxies.
  const groups = hasProxies ? runToEnd(groupDeployments(index)) : [];
  const bare = new Set(groups.flatMap(listImplementations).map(({ address }) => address));
  const proxied = groups.flatMap(({ contract, deployments }) =>
    deployments
      .filter((deployment) => isHere(deployment) && deployment.role === 'proxy')
      .map(({ address, ...deployment }) => ({ name: contract.name, address, deployment })),
  );
  return [
    ...index.deployments.flatMap(({ contract: name, address, ...deployment }) =>
      isHere(deployment) && name !== undefined && !bare.has(address) ? [{ name, address, deployment }] : [],
    ),
    ...proxied,
    ...index.labels.filter(({ chainId: at }) => at === undefined || at === chain),
  ];

  /** Those that proxies run, or, beside proxies, are made for them. */
  function listImplementations({ deployments, implementations }: DeployedContract) {
    const here = deployments.filter(isHere);
    const isProxied = here.some(({ role }) => role === 'proxy');
    const unused = here.filter(({ role }) => isProxied && role === 'implementation');
    return [...implementations.filter(isHere), ...unused];
  }

  function isHere({ chainId: at }: Pick<IndexedDeployment, 'chainId'>): boolean {
    return at === chain;
  }
}
