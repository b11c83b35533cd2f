import { createMessage, foreign, type Message } from '../base/text.ts';
import { hashData } from '../eth/keccak.ts';
import type { CodeGap } from '../traces/builtCode.ts';
import type { ContractBuild } from '../traces/readBuilds.ts';
import type { CodeComparison, CodeDifference } from './codeComparison.ts';
import { explainDifference } from './codeDifference.ts';
import { type CodeMetadata, findCodeMetadata } from './codeMetadata.ts';
import {
  hasSameSources,
  listSettingDifferences,
  parseCompilerMetadata,
  type SettingDifference,
} from './compilerSettings.ts';
import { findOtherBuild, type OtherBuild } from './otherBuilds.ts';
import { type CompareContext, matchPlaced, type PlacedCode, readBuildState } from './placedCode.ts';
import { findSettings } from './provedSettings.ts';

type Explained = Pick<CodeComparison, 'match' | 'reasons'> & Partial<CodeComparison>;

interface MismatchContext extends CompareContext {
  readonly build: ContractBuild;
  /** The first byte that differs. */
  readonly offset: number;
}

/** The result for code that is not the built one: other settings if they are proved, else what differs. */
export async function explainMismatch(placed: PlacedCode, context: MismatchContext): Promise<Explained> {
  const { deps, slices, options } = context;
  const { address, code } = placed;
  const codeHash = hashData(code);
  const build = openImmutables(context.build);
  const { isOutdated, addTo } = await readBuildState(build, deps.files);
  const matched =
    build === context.build
      ? { isSame: false as const, offset: context.offset }
      : await matchPlaced(placed, build, context);
  const deployments = (deps.deployments ?? []).filter(
    (each) => each.address === address && each.chainId === String(deps.chainId),
  );
  const other = await findOtherBuild(placed, { ...context, deployments });
  const found = other ? [explainOther(other)] : listCommits(deployments);
  const deployedBuild = other?.facts;
  const otherBuild = other && {
    ...{ file: other.file, match: other.match, commit: other.commit },
    ...(other.contract !== undefined && { contract: other.contract }),
  };
  if (matched.isSame) {
    const reason = createMessage(
      'The artifact does not list immutable variables, and the code differs at one. Compile again with the build info.',
    );
    return {
      match: 'unknown',
      isOutdated,
      codeHash,
      otherBuild,
      deployedBuild,
      reasons: addTo([reason, ...found]),
    };
  }
  const { offset } = matched;
  let isCut = false;
  const onCut = () => {
    isCut = true;
  };
  const difference = await explainDifference(build, { code, offset }, { slices, onCut, ...options });
  const hasSameSelectors =
    !isCut && difference.onlyLocal.length === 0 && difference.onlyDeployed.length === 0;
  // The build of another contract has other sources.
  const mayBeSame = hasSameSelectors && other?.contract === undefined;
  const proved = mayBeSame ? await proveSettings(code.slice(2), { ...context, other }) : undefined;
  if (proved && proved !== 'stopped') {
    const { settings, reason } = proved;
    return {
      match: 'settings',
      isOutdated,
      codeHash,
      settings,
      otherBuild,
      deployedBuild,
      reasons: addTo([reason, ...found]),
    };
  }
  return {
    ...{ match: 'different', isOutdated, codeHash, difference, otherBuild, deployedBuild },
    reasons: addTo([
      ...listCauses(placed, { build, offset, difference, hasSameSelectors }),
      ...(isCut ? [PARTS_LEFT_OUT] : []),
      ...(proved === 'stopped' ? [SETTINGS_LEFT_OUT] : []),
      ...found,
    ]),
  };
}

/**
 * The build with each pushed zero of 32 bytes as a place of its own, if it does not list immutable variables: that is how
 * solc writes one, and zero itself is shorter.
 */
function openImmutables(build: ContractBuild): ContractBuild {
  const { hasImmutables, runtime } = build;
  if (hasImmutables) return build;
  const opened = [...runtime.digits.matchAll(ZERO_WORD)].flatMap(({ index }): readonly CodeGap[] =>
    index % 2 === 0 ? [{ kind: 'immutable', id: '', places: [{ start: (index >> 1) + 1, length: 32 }] }] : [],
  );
  if (opened.length === 0) return build;
  return { ...build, runtime: { ...runtime, gaps: [...runtime.gaps, ...opened.slice(0, MAX_OPENED)] } };
}

const ZERO_WORD = /7f0{64}/g;
/** Real code has some hundred. */
const MAX_OPENED = 10_000;

const PARTS_LEFT_OUT = createMessage(
  'The code is too long, or repeats itself too often, to find the functions that differ.',
);
const SETTINGS_LEFT_OUT = createMessage(
  'The usual compiler settings do not have the deployed metadata hash. Not all others were tried.',
);

interface ProvedSettings {
  readonly settings: readonly SettingDifference[];
  readonly reason: Message;
}

async function proveSettings(
  deployed: string,
  {
    build,
    other,
    deps,
    builds,
    slices,
    options,
  }: MismatchContext & { readonly other: OtherBuild | undefined },
): Promise<ProvedSettings | 'stopped' | undefined> {
  const { metadata } = build;
  if (metadata === undefined) return undefined;
  const [own, otherMetadata] = [metadata, other?.metadata].map(parseCompilerMetadata);
  if (other && own && otherMetadata && hasSameSources(own, otherMetadata)) {
    const settings = listSettingDifferences(own, otherMetadata);
    const reason = createMessage(
      '{0} has the deployed code, of the same sources with these settings.',
      foreign(other.file),
    );
    if (settings.length > 0) return { settings, reason };
  }
  const block = findCodeMetadata(deployed);
  if (!block?.hash) return undefined;
  const versions = new Set<string>();
  for (const contract of deps.contracts) {
    if (block.compiler === undefined || versions.size > 0 || metadata.includes(`"${block.compiler}+`)) break;
    const version = /"version":"([^"]{1,80})"/.exec((await builds.read(contract))?.metadata ?? '')?.[1];
    if (version?.startsWith(`${block.compiler}+`)) versions.add(version);
    if (slices.isOver()) await slices.rest(options);
  }
  const settings = await findSettings(
    metadata,
    { deployed: block, versions: [...versions] },
    { slices, ...options },
  );
  if (settings === 'stopped') return settings;
  if (settings === undefined || settings.length === 0) return undefined;
  const reason = createMessage(
    'The metadata hash in the deployed code is that of the same sources with these settings. Compile with them to compare the code itself.',
  );
  return { settings, reason };
}

/** What points to the cause, without a proof. */
function listCauses(
  { code, address }: PlacedCode,
  {
    build,
    offset,
    difference,
    hasSameSelectors,
  }: Pick<MismatchContext, 'build' | 'offset'> & {
    readonly difference: CodeDifference;
    readonly hasSameSelectors: boolean;
  },
): readonly Message[] {
  const { digits, gaps } = build.runtime;
  const reasons: Message[] = [];
  const gap = gaps.find(({ places }) =>
    places.some(({ start, length }) => start <= offset && offset < start + length),
  );
  if (gap)
    reasons.push(createMessage('The places of one immutable variable or library have different values.'));
  if (digits.startsWith(LIBRARY_START) && offset < 21 && code.startsWith('0x73'))
    reasons.push(createMessage('The code of a library must have its own address {0}.', address));
  const local = findCodeMetadata(digits);
  const deployed = findCodeMetadata(code.slice(2));
  const [one, other] = [local?.compiler, deployed?.compiler];
  if (one !== undefined && other !== undefined && one !== other)
    reasons.push(
      createMessage(
        'The compiler of the build is {0}, that of the deployed code {1}.',
        foreign(one),
        foreign(other),
      ),
    );
  if (isSameHash(local, deployed))
    reasons.push(
      createMessage('Both name the same metadata, yet the code differs. It may have been changed by hand.'),
    );
  const [localBytes, deployedBytes] = [digits.length / 2, code.length / 2 - 1];
  if (localBytes !== deployedBytes) {
    reasons.push(createMessage('The build has {0} bytes, the deployed code {1}.', localBytes, deployedBytes));
    if (hasSameSelectors)
      reasons.push(
        difference.functions.length > 0
          ? createMessage('The selectors are the same.')
          : createMessage(
              'The selectors are the same. The sources may be too, with other settings of the compiler.',
            ),
      );
  }
  return reasons.length > 0 ? reasons : [createMessage('The code differs from byte {0} on.', offset)];
}

const LIBRARY_START = `73${'0'.repeat(40)}3014`;

function isSameHash(one: CodeMetadata | undefined, other: CodeMetadata | undefined): boolean {
  return one?.hash !== undefined && one.hash.digits === other?.hash?.digits;
}

function explainOther({ file, commit, contract }: OtherBuild): Message {
  if (contract !== undefined)
    return createMessage(
      'The deployed code is that of {0}, whose build is in {1}.',
      foreign(contract),
      foreign(file),
    );
  return commit === undefined
    ? createMessage('The build in {0} is the deployed code.', foreign(file))
    : createMessage('The build in {0} is the deployed code, of commit {1}.', foreign(file), foreign(commit));
}

function listCommits(deployments: readonly { readonly file: string; readonly commit: string | undefined }[]) {
  return deployments.flatMap(({ file, commit }) =>
    commit === undefined
      ? []
      : [createMessage('By {0}, it was deployed from commit {1}.', foreign(file), foreign(commit))],
  );
}
