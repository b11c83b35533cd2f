import { isAppError } from '../../base/errors.ts';
import { asRecord, type PlainRecord } from '../../base/values.ts';
import type { Address } from '../../eth/hex.ts';
import { getBaseName, getFolder } from '../layout.ts';
import {
  createDeployment,
  createReadBounds,
  type DeploymentFacts,
  emptyFacts,
  type FactsFile,
  type FileFacts,
  type LabelFacts,
  type ReadBounds,
  readBlockNumber,
  readChainId,
  readContractAddress,
  readName,
  readTransactionHash,
} from './facts.ts';
import { findChainInPath } from './fileKind.ts';
import { parseJsonText, pickMembers } from './jsonScan.ts';

/** Lines of one journal. A deployment takes five: more than any project has. */
const MAX_LINES = 15_000;
const MAX_ADDRESSES = 20_000;

/**
 * Reads the deployments in a journal of Hardhat Ignition, one JSON message a line. An incomplete last line is skipped: an
 * interrupted run leaves one. https://hardhat.org/ignition/docs/advanced/deployment-artifacts
 */
export function readIgnitionJournal(text: string): FileFacts {
  const bounds = createReadBounds();
  const { deployments } = parseJournal(text, bounds);
  return { ...emptyFacts, deployments, ...bounds.summary };
}

/**
 * Reads the addresses that Ignition lists, by future. Their chain is in the journal beside them, which is often not
 * committed, or in the name of the folder, `chain-31337` or `sepolia`; without either they are names for any chain.
 */
export function readIgnitionAddresses({ path, text, companion }: FactsFile): FileFacts {
  const bounds = createReadBounds();
  const journal = companion === undefined ? undefined : tryParseJournal(companion);
  const folder = getFolder(path);
  const chainId =
    journal?.chainId ??
    readChainId(/^chain-(\d{1,20})(?:\D|$)/.exec(getBaseName(folder))?.[1]) ??
    findChainInPath(path);
  const deployments: DeploymentFacts[] = [];
  const labels: LabelFacts[] = [];
  const entries = Object.entries(asRecord(parseJsonText(text)));
  for (const [future, value] of bounds.first(MAX_ADDRESSES, 'addresses', entries)) {
    const address = readContractAddress(value);
    if (!address) continue;
    const fromJournal = journal?.byFuture.get(future);
    const contract = readName(future.slice(future.lastIndexOf('#') + 1));
    if (chainId === undefined) {
      if (contract !== undefined) labels.push({ address, name: contract, chainId });
      continue;
    }
    deployments.push(
      fromJournal?.address === address ? fromJournal : createDeployment({ chainId, address, contract }),
    );
  }
  return { ...emptyFacts, deployments, labels, ...bounds.summary };
}

interface Journal {
  /** The last one. */
  readonly chainId: string | undefined;
  readonly deployments: readonly DeploymentFacts[];
  /** The last of each future. */
  readonly byFuture: ReadonlyMap<string, DeploymentFacts>;
}

/** Errors and limits of a journal are reported when the journal itself is read. */
function tryParseJournal(text: string): Journal | undefined {
  try {
    return parseJournal(text, createReadBounds());
  } catch (error) {
    if (isAppError(error, 'badInput')) return undefined;
    throw error;
  }
}

/** Each initialization begins a deployment of its own, on a chain of its own: journals may have been put together. */
function parseJournal(text: string, bounds: ReadBounds): Journal {
  const parts: { readonly chainId: string | undefined; readonly futures: Map<string, Future> }[] = [];
  for (const message of readMessages(text, bounds)) {
    const futures = parts.at(-1)?.futures;
    if (message.type === 'DEPLOYMENT_INITIALIZE')
      parts.push({ chainId: readChainId(message.chainId), futures: new Map() });
    else if (futures && typeof message.futureId === 'string')
      applyMessage(futures, message.futureId, message);
  }
  const deployments = parts.flatMap(({ chainId, futures }) =>
    [...futures].flatMap(([id, { address, contract, block, transaction }]) => {
      if (!address || chainId === undefined) return [];
      return [[id, { chainId, address, contract, block, transaction, commit: undefined }] as const];
    }),
  );
  return {
    chainId: parts.at(-1)?.chainId,
    deployments: deployments.map(([, deployment]) => deployment),
    byFuture: new Map(deployments),
  };
}

/** The state of a "future", Ignition's term for a contract to be deployed. */
interface Future {
  contract?: string | undefined;
  address?: Address | undefined;
  block?: bigint | undefined;
  transaction?: DeploymentFacts['transaction'];
}

function applyMessage(futures: Map<string, Future>, id: string, message: PlainRecord): void {
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
      future.block = readBlockNumber(asRecord(message.receipt).blockNumber);
      future.transaction = readTransactionHash(message.hash);
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

const MESSAGE_MEMBERS = [
  'type',
  'chainId',
  'futureId',
  'contractName',
  'contractAddress',
  'hash',
  'receipt',
  'result',
] as const;

function* readMessages(text: string, bounds: ReadBounds): Generator<PlainRecord, void> {
  for (const { line, isEnded } of bounds.first(MAX_LINES, 'lines', splitLines(text))) {
    if (line === '') continue;
    try {
      yield pickMembers(line, 0, MESSAGE_MEMBERS);
    } catch (error) {
      if (isEnded) throw error;
    }
  }
}

function* splitLines(text: string): Generator<{ readonly line: string; readonly isEnded: boolean }, void> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const to = end === -1 ? text.length : end;
    yield { line: text.slice(from, to).trim(), isEnded: end !== -1 };
    from = to + 1;
  }
}
