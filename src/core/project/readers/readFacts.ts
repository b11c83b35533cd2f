import { asAppError, badInput, isAppError } from '../../base/errors.ts';
import { asRecord } from '../../base/values.ts';
import { type ProjectLayout, parseFoundryToml, readLabels } from '../layout.ts';
import { readAddressMap, readFirstEntries, readTeamLabels, readTokens } from './addressLists.ts';
import { isAbiList } from './anyAbi.ts';
import { isAbiAt, readAbiList, readArtifact, readExplorerResponse } from './artifact.ts';
import { readBroadcast } from './broadcast.ts';
import { ABI_NAMES } from './compilerOutput.ts';
import { emptyFacts, type FactsFile, type FactsInSteps, type FileFacts, type LabelFacts } from './facts.ts';
import { classifyFile, type FileKind, findChainInPath, isAddressPath, isTestPath } from './fileKind.ts';
import { readIgnitionAddresses, readIgnitionJournal } from './ignition.ts';
import { isListAt, isObjectAt, parseJsonText, scanMembers } from './jsonScan.ts';
import { parseLiteralText, readModule } from './modules.ts';

/** Artifacts have up to a few million characters. A larger file is an error. */
const MAX_FACTS_FILE_CHARS = 32 * 1_024 * 1_024;
/** Characters of a map of addresses: some ten thousand of them. */
const MAX_MAP_CHARS = 2 * 1_024 * 1_024;

type Reader = (file: FactsFile, layout: ProjectLayout) => FileFacts | FactsInSteps;

const READERS: Readonly<Record<FileKind, Reader>> = {
  foundryToml: readFoundryFacts,
  teamLabels: ({ text }) => readTeamLabels(text),
  artifact: readArtifact,
  broadcast: readBroadcast,
  ignitionAddresses: readIgnitionAddresses,
  ignitionJournal: ({ text }) => readIgnitionJournal(text),
  json: readJson,
  jsonc: readJsonc,
  module: readModule,
};

/**
 * Reads the contracts, deployments and names in a file of a project, step by step. Nothing is executed or resolved outside of the file.
 * Names are safe to show; addresses are lower-case; invalid ones are dropped.
 *
 * @throws AppError `badInput` for a file that is invalid or too large, `internal` for a mistake of Chainside; the message
 *   is one line of plain text.
 * @example
 * const { contracts } = runToEnd(readFacts({ path: 'out/Token.sol/Token.json', text }, parseLayout({})));
 */
export function* readFacts(file: FactsFile, layout: ProjectLayout): FactsInSteps {
  const kind = classifyFile(file.path, layout);
  if (kind === undefined) return emptyFacts;
  if (file.text.length > MAX_FACTS_FILE_CHARS) throw badInput('file', 'It is larger than 32 MiB.');
  const text = file.text.startsWith('\ufeff') ? file.text.slice(1) : file.text;
  try {
    const read = READERS[kind]({ ...file, text }, layout);
    return 'next' in read ? yield* read : read;
  } catch (error) {
    throw asAppError(error);
  }
}

/** Its own labels, and those of the files that it extends, which the layout has. */
function readFoundryFacts({ text }: FactsFile, { labels }: ProjectLayout): FileFacts {
  const own = readLabels(parseFoundryToml(text));
  const names = new Set(own.map(formatLabel));
  return { ...emptyFacts, labels: [...own, ...labels.filter((label) => !names.has(formatLabel(label)))] };
}

const formatLabel = ({ address, name }: LabelFacts) => `${address} ${name}`;

/**
 * Reads JSON whose kind only its content shows. Invalid JSON is an error only if it looks like an ABI: other files are
 * probably not for Chainside.
 */
function* readJson(file: FactsFile, layout: ProjectLayout): FactsInSteps {
  try {
    if (isListAt(file.text, 0)) return yield* readList(file);
    if (isAbiAt(file.text, 0)) return yield* readAbiList(file);
    if (isObjectAt(file.text, 0)) return yield* readObject(file, layout);
    parseJsonText(file.text);
    return emptyFacts;
  } catch (error) {
    if (isAppError(error, 'badInput') && !ABI_KEYS.test(file.text)) return emptyFacts;
    throw error;
  }
}

function* readList(file: FactsFile): FactsInSteps {
  const entries = readFirstEntries(file.text, 0);
  const first = asRecord(entries[0]);
  if (isAbiList(entries) && !('chainId' in first)) return yield* readAbiList(file);
  if (!('chainId' in first)) return emptyFacts;
  return yield* 'symbol' in first ? readTokens(file.text, 0) : readMap(file, parseJsonText);
}

function* readObject(file: FactsFile, layout: ProjectLayout): FactsInSteps {
  const { text } = file;
  for (const { name, from, to } of scanMembers(text)) {
    yield;
    if (ABI_NAMES.has(name) && isAbiAt(text, from)) return yield* readArtifact(file, layout);
    if (name === 'tokens' && isListAt(text, from)) return yield* readTokens(text, from);
    if (name === 'receipts' && isListAt(text, from)) return readBroadcast(file);
    const response =
      name === 'result' && isAbiAt(text, from) ? readExplorerResponse(file, { from, to }) : emptyFacts;
    if (response.contracts.length > 0) return response;
  }
  const output = COMPILER_OUTPUT.test(text) ? yield* readArtifact(file, layout) : emptyFacts;
  return output.contracts.length > 0 || output.truncation !== undefined
    ? output
    : yield* readMap(file, parseJsonText);
}

const ABI_KEYS = /"(?:abi|stateMutability|internalType|anonymous|payable)"|"inputs"\s{0,8}:/;
/** What the output of a compiler has, and few other files. */
const COMPILER_OUTPUT = /"(?:contractTypes|compilation_units)"|"abi"\s{0,8}:|"interface"\s{0,8}:\s{0,8}"/;

function readJsonc(file: FactsFile): FactsInSteps {
  return readMap(file, parseLiteralText);
}

function* readMap({ path, text }: FactsFile, parse: (text: string) => unknown): FactsInSteps {
  if (isTestPath(path) || !/"0x[0-9a-fA-F]{40}"/.test(text)) return emptyFacts;
  // Other data also has addresses, and is often larger.
  if (text.length > MAX_MAP_CHARS) {
    return isAddressPath(path)
      ? { ...emptyFacts, truncation: 'It is larger than 2 MiB, the limit of a map of addresses.' }
      : emptyFacts;
  }
  const chainId = findChainInPath(path);
  const map = BROWNIE_MAP.test(path) ? takeLatest(parse(text)) : parse(text);
  yield;
  const facts = yield* readAddressMap(map, { chainId });
  // Names for every chain are only taken from files that are about addresses.
  return isAddressPath(path)
    ? facts
    : { ...facts, labels: facts.labels.filter((label) => label.chainId !== undefined) };
}

const BROWNIE_MAP = /(?:^|\/)deployments\/map\.json$/;

/** Brownie lists the deployments of each contract, the newest first: `{"1": {"Pay": ["0x…", "0x…"]}}`. */
function takeLatest(map: unknown): unknown {
  return Object.fromEntries(
    Object.entries(asRecord(map)).map(([chainId, contracts]) => [
      chainId,
      Object.fromEntries(
        Object.entries(asRecord(contracts)).map(([name, addresses]) => [
          name,
          Array.isArray(addresses) ? addresses[0] : addresses,
        ]),
      ),
    ]),
  );
}
