import { createMessage, foreign, type Message, sanitizeText } from '../base/text.ts';
import { hashData } from '../eth/keccak.ts';
import { getContractPath, type IndexedContract } from '../project/index/joinContracts.ts';
import { createCodeMap, type MapEntry } from '../traces/builtCode.ts';
import type { ContractBuild } from '../traces/readBuilds.ts';
import { openSource, type SourceText } from '../traces/sourceText.ts';
import { isVyperSource } from '../traces/vyperBuilds.ts';
import type { CodeComparison, FilledImmutable } from './codeComparison.ts';
import { findCodeMetadata } from './codeMetadata.ts';
import { listSelectors } from './findContractByCode.ts';
import { compareLibraries, getLibraryName } from './linkedLibraries.ts';
import type { MatchedCode } from './matchCode.ts';
import { toMatch } from './otherBuilds.ts';
import { type CompareContext, matchPlaced, type PlacedCode, readBuildState } from './placedCode.ts';

type Explained = Pick<CodeComparison, 'match' | 'reasons'> & Partial<CodeComparison>;

interface MatchContext extends CompareContext {
  readonly build: ContractBuild;
  readonly matched: MatchedCode;
}

/** The result for code that is the built one, with the values that a deployment filled in. */
export async function explainMatch(placed: PlacedCode, context: MatchContext): Promise<Explained> {
  const { build, matched, contract, deps } = context;
  if (build.runtime.tail && build.runtime.tail.bytes === undefined && matched.filled.length > 0) {
    const reason = createMessage(
      'The build does not say how many bytes of immutable variables follow the code. Add layout to the output of Vyper.',
    );
    return { codeHash: hashData(placed.code), match: 'unknown', reasons: [reason] };
  }
  const immutables = await nameImmutables(build, matched, context);
  const reasons: Message[] = [];
  const isVyper = isVyperSource(contract.source);
  if (isBlueprint(placed))
    reasons.push(createMessage('It is a blueprint (ERC-5202): its creation code is compared.'));
  if (matched.metadata === 'different') reasons.push(explainMetadata(placed, build));
  if (matched.metadata === 'none') {
    reasons.push(
      isVyper
        ? createMessage(
            'Vyper writes no hash of the source into this code: comments and names are not compared.',
          )
        : createMessage('The code has no hash of its sources: comments and names are not compared.'),
    );
  }
  if (matched.embedded.length > 0)
    reasons.push(
      createMessage('The metadata of contracts inside of the code differs: {0}.', matched.embedded.length),
    );
  if (immutables.length > 0)
    reasons.push(createMessage('Check the values of immutable variables: what they should be is not known.'));
  const { isOutdated, unchecked, addTo } = await readBuildState(build, deps.files);
  const linked = await compareLibraries(build, matched, context);
  const match = linked.differing.length > 0 ? 'different' : toMatch(matched);
  // Without the hash of the sources, the code may fit several builds.
  const equalContracts = matched.metadata === 'hash' ? [] : await findEqualContracts(placed, context);
  const names = equalContracts.slice(0, MAX_NAMED).map(formatContract).join(', ');
  const equalReasons =
    equalContracts.length > 0 ? [createMessage('This is also the code of {0}.', foreign(names))] : [];
  return {
    codeHash: hashData(placed.code),
    ...{ isOutdated, match: isOutdated ? 'unknown' : match },
    unchecked: [...unchecked, ...linked.unknown],
    immutables,
    libraries: matched.filled.flatMap(({ kind, id, value }) =>
      kind === 'library' ? [{ name: getLibraryName(id), address: value }] : [],
    ),
    equalContracts,
    reasons: addTo([...equalReasons, ...linked.differing, ...linked.unknown, ...reasons]),
  };
}

/** Contracts with the same functions and the same code. */
async function findEqualContracts(
  placed: PlacedCode,
  context: MatchContext,
): Promise<readonly IndexedContract[]> {
  const { contract, deps, builds, slices, options } = context;
  const key = toFunctionKey(contract);
  const found: IndexedContract[] = [];
  let left = MAX_READ;
  for (const other of deps.contracts) {
    const isSame = other.name === contract.name && other.source === contract.source;
    if (isSame || other.artifact === undefined || toFunctionKey(other) !== key) continue;
    if (left-- <= 0) break;
    const build = await builds.read(other);
    if (build && (await matchPlaced(placed, build, context)).isSame) found.push(other);
    if (slices.isOver()) await slices.rest(options);
  }
  return found;
}

const toFunctionKey = (contract: IndexedContract) => [...listSelectors(contract)].sort().join();
/** Builds that are read for one code. */
const MAX_READ = 40;
const MAX_NAMED = 5;

/** As `--contract` takes it. */
const formatContract = (contract: IndexedContract) =>
  sanitizeText(`${getContractPath(contract)}:${contract.name}`, MAX_NAME_CHARS);

const isBlueprint = ({ code }: PlacedCode) => code.startsWith('0xfe71');

function explainMetadata({ code }: PlacedCode, { runtime }: ContractBuild): Message {
  const deployed = findCodeMetadata(code.slice(2));
  const local = findCodeMetadata(runtime.digits);
  if (!deployed) return createMessage('The deployed code has no metadata.');
  if (!local) return createMessage('The build has no metadata.');
  const [one = '', other = ''] = [local.compiler, deployed.compiler];
  return one !== other
    ? createMessage(
        'The metadata differs: the compiler of the build is {0}, that of the deployed code {1}.',
        foreign(one),
        foreign(other),
      )
    : createMessage(
        'The metadata differs: by comments, names of variables, paths, or settings without effect.',
      );
}

async function nameImmutables(
  build: ContractBuild,
  { filled }: MatchedCode,
  { slices, options }: Pick<MatchContext, 'options' | 'slices'>,
): Promise<readonly FilledImmutable[]> {
  const immutables = filled.filter(({ kind }) => kind === 'immutable');
  if (immutables.length === 0) return [];
  const isNamed = build.runtime.tail !== undefined;
  const names = isNamed ? undefined : await build.nameVariables(immutables.map(({ id }) => id));
  const named: FilledImmutable[] = [];
  const map = await createCodeMap(build.runtime, { slices, ...options });
  const sources = new Map<number, SourceText | undefined>();
  const openAt = async (file: number) => {
    if (sources.has(file)) return sources.get(file);
    const source = await build.readSource(file);
    const isKnown = source !== undefined && source !== 'generated' && source.isCurrent;
    const opened = isKnown ? await openSource(source, { slices, ...options }) : undefined;
    sources.set(file, opened);
    return opened;
  };
  for (const { id, offset, value } of immutables) {
    const name = names
      ? (names.get(id) ?? (await findNameInSource(map.entryAt(offset - 1), openAt)))
      : id || undefined;
    named.push({ name: name === undefined ? name : sanitizeText(name, MAX_NAME_CHARS), offset, value });
  }
  return named;
}

/** An instruction that pushes an immutable variable is mapped to the name in the source, or to the declaration. */
async function findNameInSource(
  entry: MapEntry | undefined,
  openAt: (file: number) => Promise<SourceText | undefined>,
): Promise<string | undefined> {
  const source = entry && entry.file >= 0 ? await openAt(entry.file) : undefined;
  if (!entry || !source) return undefined;
  const text = source.slice(entry.start, entry.length)?.slice(0, MAX_DECLARATION_CHARS) ?? '';
  if (/^[A-Za-z_$][\w$]*$/.test(text)) return text;
  const [declaration = ''] = /\bimmutable\b[^;={}]*/.exec(text) ?? [];
  return declaration.trimEnd().match(/(?<![\w$])[\w$]+$/)?.[0];
}

const MAX_DECLARATION_CHARS = 400;
const MAX_NAME_CHARS = 100;
