import type { AbiItemText } from '../abi/item.ts';
import { parseAbi } from '../abi/parseAbi.ts';
import { createMessage, type Message } from '../base/text.ts';
import type { IndexedContract } from '../project/index/joinContracts.ts';
import type { ProjectFiles } from '../project/projectFiles.ts';
import { createBuildReader } from '../traces/readBuilds.ts';
import { type AbiChange, compareAbis } from './abiChanges.ts';
import {
  type ComparedSetting,
  type CompilerMetadata,
  compareSettings,
  hasSameSources,
  parseCompilerMetadata,
} from './compilerSettings.ts';
import { compareStorage, type StorageChange } from './storageChanges.ts';
import { parseStorageLayout, type StorageLayout } from './storageLayout.ts';

/** What is known of a build beside its code; each part is undefined if it is unknown. */
export interface BuildFacts {
  readonly metadata: CompilerMetadata | undefined;
  readonly abi: readonly AbiItemText[] | undefined;
  readonly storage: StorageLayout | undefined;
  /** Whether a source has variables in a namespace (ERC-7201), which the layout of solc leaves out. */
  readonly hasNamespaces?: boolean | undefined;
  /** What makes the build, by the configuration of its project. */
  readonly tool?: 'foundry' | 'hardhat' | undefined;
}

/** What changes from the deployed build to the local one; each part is undefined if a side of it is unknown. */
export interface BuildChanges {
  readonly settings: readonly ComparedSetting[] | undefined;
  /** Whether all sources have the same hashes; undefined if a build does not list them. */
  readonly isSameSource: boolean | undefined;
  readonly abi: readonly AbiChange[] | undefined;
  readonly storage: readonly StorageChange[] | undefined;
  /** Whether only some variables of the layouts are compared. */
  readonly isStoragePartial: boolean;
  /** What is missing, and how to get it. */
  readonly missing: readonly Message[];
  /** Whether `forge build` with the storage layout as output adds what is missing. */
  readonly canForgeAddLayout: boolean;
}

/**
 * Reads the facts of a build from what a file or a provider has of it.
 *
 * @param build.metadata as solc writes it, or an object with `compiler` and `settings`.
 * @param build.layout `storageLayout` of solc or `layout` of Vyper.
 * @param build.abi default: that in the metadata.
 * @example readBuildFacts({ metadata: undefined, layout: undefined, abi: [] }).abi // []
 */
export function readBuildFacts({
  metadata,
  layout,
  abi,
}: {
  readonly metadata: unknown;
  readonly layout: unknown;
  readonly abi?: readonly AbiItemText[] | undefined;
}): BuildFacts {
  const parsed = parseCompilerMetadata(metadata);
  return {
    metadata: parsed,
    abi: abi ?? (parsed?.abi && parseAbi(parsed.abi).items),
    storage: parseStorageLayout(layout),
  };
}

/**
 * Reads the facts of a contract's build from its artifact. Undefined if it has none.
 *
 * @example const facts = await readContractFacts(contract, { files });
 */
export async function readContractFacts(
  contract: IndexedContract,
  { files }: { readonly files: Pick<ProjectFiles, 'list' | 'read'> },
): Promise<BuildFacts | undefined> {
  const build = await createBuildReader(files).read(contract);
  const facts = build && readBuildFacts(build);
  const tool = await findTool(contract, files);
  // The index merges the ABIs of all files of a contract.
  if (!facts) return undefined;
  const hasNamespaces = facts.storage && (await findNamespace(build.sources, files));
  return { ...facts, abi: facts.abi ?? contract.abi, hasNamespaces, tool };
}

const MAX_SOURCES = 500;
const MAX_SOURCE_BYTES = 1024 * 1024;

async function findNamespace(
  sources: readonly string[],
  files: Pick<ProjectFiles, 'read'>,
): Promise<boolean> {
  for (const source of sources.slice(0, MAX_SOURCES)) {
    const bytes = await files.read(source, MAX_SOURCE_BYTES);
    if (bytes && /@custom:storage-location\s+erc7201:/.test(new TextDecoder().decode(bytes))) return true;
  }
  return false;
}

async function findTool(
  { project, artifact }: IndexedContract,
  files: Pick<ProjectFiles, 'list'>,
): Promise<BuildFacts['tool']> {
  const names = (await files.list(project)).map(({ name }) => name);
  const isHardhat = names.some((name) => name.startsWith('hardhat.config.'));
  if (!names.includes('foundry.toml')) return isHardhat ? 'hardhat' : undefined;
  // A project with both has the artifacts of Hardhat beside the sources: `artifacts/contracts/A.sol/A.json`.
  const inner = artifact?.slice(project === '' ? 0 : project.length + 1) ?? '';
  return isHardhat && inner.startsWith('artifacts/') ? 'hardhat' : 'foundry';
}

/**
 * Compares the local build of a contract with the deployed one, as an upgrade from the latter to the former.
 *
 * @param deployed undefined if nothing is known of it.
 * @param isDeployedLocal whether the deployed build is an artifact of the same project.
 * @example compareBuilds({ metadata: undefined, abi: [], storage: undefined }, undefined).storage // undefined
 */
export function compareBuilds(
  local: BuildFacts,
  deployed: BuildFacts | undefined,
  isDeployedLocal = false,
): BuildChanges {
  const { metadata: ours } = local;
  const theirs = deployed?.metadata;
  const storage = local.storage && deployed?.storage && compareStorage(deployed.storage, local.storage);
  const partial = storage ? listUncompared(local, deployed) : [];
  const hasSources = ours && theirs && ours.sources.size > 0 && theirs.sources.size > 0;
  return {
    settings: ours && theirs && compareSettings(ours.settings, theirs.settings),
    isSameSource: hasSources ? hasSameSources(ours, theirs) : undefined,
    abi: local.abi && deployed?.abi && compareAbis(deployed.abi, local.abi),
    storage,
    isStoragePartial: partial.length > 0,
    missing: [...listMissingLocal(local), ...listMissingDeployed(deployed, isDeployedLocal), ...partial],
    canForgeAddLayout:
      local.tool === 'foundry' &&
      deployed !== undefined &&
      (!local.storage || (isDeployedLocal && !deployed.storage)),
  };
}

/** Why some variables are not compared. */
function listUncompared(local: BuildFacts, deployed: BuildFacts | undefined): readonly Message[] {
  const layouts = [local, deployed].flatMap((facts) => facts?.storage ?? []);
  const isNamed = (layout: StorageLayout) => layout.variables.some(({ namespace }) => namespace !== '');
  return [
    ...(local.hasNamespaces && !layouts.every(isNamed)
      ? [
          createMessage(
            'The storage layout has no variables of namespaces (ERC-7201). They are not compared.',
          ),
        ]
      : []),
    ...(layouts.some(({ isCut }) => isCut)
      ? [createMessage('The storage layout has too many variables. Some are not compared.')]
      : []),
  ];
}

function explainLayout(tool: BuildFacts['tool']): Message {
  if (tool === 'foundry')
    return createMessage(
      'The local build has no storage layout. Set `extra_output = ["storageLayout"]` in foundry.toml. Then compile again.',
    );
  if (tool === 'hardhat')
    return createMessage(
      'The local build has no storage layout. Set `outputSelection: { "*": { "*": ["storageLayout"] } }` in the compiler settings of hardhat.config. Then compile again.',
    );
  return createMessage(
    'The local build has no storage layout. With Foundry, set `extra_output = ["storageLayout"]` in foundry.toml; with Hardhat, add `storageLayout` to `outputSelection` of the compiler. Then compile again.',
  );
}

function listMissingLocal({ metadata, storage, tool }: BuildFacts): readonly Message[] {
  return [
    ...(storage ? [] : [explainLayout(tool)]),
    ...(metadata
      ? []
      : [
          createMessage(
            'The local build has no metadata. With Hardhat 3, add `metadata` to `outputSelection` of the compiler. Then compile again.',
          ),
        ]),
  ];
}

function listMissingDeployed(deployed: BuildFacts | undefined, isLocal: boolean): readonly Message[] {
  if (!deployed) {
    return [
      createMessage(
        'The build of the deployed code is unknown: no file of the project has it, and no allowed provider has it verified.',
      ),
    ];
  }
  if (deployed.storage) return [];
  return isLocal
    ? [createMessage('The build of the deployed code has no storage layout either.')]
    : [createMessage('The storage layout of the deployed code is unknown: its source does not have it.')];
}
