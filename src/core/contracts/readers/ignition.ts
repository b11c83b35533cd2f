import { isAppError } from '../../base/errors.ts';
import { asRecord, type PlainRecord } from '../../base/records.ts';
import type { Address } from '../../values/address.ts';
import type { DeploymentFacts, FileFacts } from '../facts.ts';
import { baseOf, folderOf } from '../layout/paths.ts';
import { type Bounds, createBounds } from './bounds.ts';
import { bareDeployment, emptyFacts } from './emptyFacts.ts';
import type { FactsFile } from './factsFile.ts';
import { parseJson } from './json/parse.ts';
import { pick } from './json/pick.ts';
import { readBlock, readChainId, readContractAddress, readHash, readName } from './texts.ts';

/** Lines of one journal, of which each deployment takes five: more than any project has. */
const MOST_LINES = 15_000;
/** Entries of one list of addresses. */
const MOST_ADDRESSES = 20_000;

/** What a journal says of one future, its word for a contract to be deployed. */
interface Future {
  contract?: string | undefined;
  address?: Address | undefined;
  block?: bigint | undefined;
  transaction?: DeploymentFacts['transaction'];
}

/**
 * What a journal of Hardhat Ignition says was deployed, a message a line. A last line that is cut off is passed over: a run that
 * was ended leaves one. https://hardhat.org/ignition/docs/advanced/deployment-artifacts
 */
export function readIgnitionJournal(text: string): FileFacts {
  const bounds = createBounds();
  const { deployments } = journalOf(text, bounds);
  return { ...emptyFacts, deployments: [...deployments.values()], ...bounds.met };
}

/**
 * The addresses that Ignition lists, by future. Their chain stands in the journal beside them or in the name of the
 * folder, `chain-31337`.
 */
export function readIgnitionAddresses({ path, text, beside }: FactsFile): FileFacts {
  const bounds = createBounds();
  const journal = beside === undefined ? undefined : journalBeside(beside);
  const chainId = journal?.chainId ?? readChainId(/^chain-(\d{1,20})$/.exec(baseOf(folderOf(path)))?.[1]);
  const deployments: DeploymentFacts[] = [];
  const entries = Object.entries(asRecord(parseJson(text)));
  for (const [future, value] of bounds.first(MOST_ADDRESSES, 'addresses', entries)) {
    const address = readContractAddress(value);
    if (!address || chainId === undefined) continue;
    const known = journal?.deployments.get(future);
    const contract = readName(future.slice(future.lastIndexOf('#') + 1));
    deployments.push(known?.address === address ? known : bareDeployment({ chainId, address, contract }));
  }
  return { ...emptyFacts, deployments, ...bounds.met };
}

interface Journal {
  readonly chainId: string | undefined;
  /** By future. */
  readonly deployments: ReadonlyMap<string, DeploymentFacts>;
}

/** What is wrong with a journal, or too much, is told where it is read for itself. */
function journalBeside(text: string): Journal | undefined {
  try {
    return journalOf(text, createBounds());
  } catch (error) {
    if (isAppError(error, 'badInput')) return undefined;
    throw error;
  }
}

function journalOf(text: string, bounds: Bounds): Journal {
  const futures = new Map<string, Future>();
  let chainId: string | undefined;
  for (const message of messagesIn(text, bounds)) {
    if (message.type === 'DEPLOYMENT_INITIALIZE') chainId = readChainId(message.chainId);
    else if (typeof message.futureId === 'string') note(futures, message.futureId, message);
  }
  const deployments = new Map<string, DeploymentFacts>();
  for (const [id, { address, ...rest }] of futures) {
    if (!address || chainId === undefined) continue;
    const { contract, block, transaction } = rest;
    deployments.set(id, { chainId, address, contract, block, transaction, commit: undefined });
  }
  return { chainId, deployments };
}

function note(futures: Map<string, Future>, id: string, message: PlainRecord): void {
  const future = futures.get(id) ?? {};
  switch (message.type) {
    case 'DEPLOYMENT_EXECUTION_STATE_INITIALIZE':
      futures.set(id, { contract: readName(message.contractName) });
      break;
    case 'CONTRACT_AT_EXECUTION_STATE_INITIALIZE': {
      const address = readContractAddress(message.contractAddress);
      futures.set(id, { contract: readName(message.contractName), address });
      break;
    }
    case 'TRANSACTION_CONFIRM':
      future.block = readBlock(asRecord(message.receipt).blockNumber);
      future.transaction = readHash(message.hash);
      break;
    case 'DEPLOYMENT_EXECUTION_STATE_COMPLETE': {
      const result = asRecord(message.result);
      if (result.type === 'SUCCESS') future.address = readContractAddress(result.address);
      break;
    }
    case 'WIPE_APPLY':
      futures.delete(id);
      break;
  }
}

const MEMBERS = [
  'type',
  'chainId',
  'futureId',
  'contractName',
  'contractAddress',
  'hash',
  'receipt',
  'result',
] as const;

function* messagesIn(text: string, bounds: Bounds): Generator<PlainRecord, void> {
  for (const { line, isEnded } of bounds.first(MOST_LINES, 'lines', linesOf(text))) {
    if (line === '') continue;
    try {
      yield pick(line, 0, MEMBERS);
    } catch (error) {
      if (isEnded) throw error;
    }
  }
}

function* linesOf(text: string): Generator<{ readonly line: string; readonly isEnded: boolean }, void> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const to = end === -1 ? text.length : end;
    yield { line: text.slice(from, to).trim(), isEnded: end !== -1 };
    from = to + 1;
  }
}
