import * as vscode from 'vscode';
import * as z from 'zod/mini';
import {
  type Address,
  createSourceFilesReader,
  createTimeSlices,
  type IndexedContract,
  type Network,
  requireAddress,
  systemClock,
  toChecksumAddress,
  type VerifiedFiles,
} from '../../core/index.ts';
import type { WorkspaceContracts } from '../../host/contracts/workspaceContracts.ts';
import type { VerifiedAccess } from '../../host/logDecoding.ts';
import type { ChainDeps } from '../../host/session/chains.ts';
import { showMessage, withDelayedProgress } from '../../host/ui/dialogs.ts';
import { showChanges } from '../../host/ui/virtualDocuments.ts';
import type { VerifiedSource } from '../../host/verified/verifiedReader.ts';
import { findContract } from './codeTarget.ts';

interface ChangesDeps extends ChainDeps {
  readonly contracts: WorkspaceContracts;
  readonly verified: () => Promise<VerifiedAccess>;
}

const text = z.string().check(z.maxLength(1_000));
const Argument = z.object({ address: text, contract: text, source: z.optional(text) });

/** Of one comparison: the editor opens each. */
const MAX_CHANGED_FILES = 100;
const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** *Show Source Changes*: the verified source beside that of the workspace, in the diff editor. */
export async function showSourceChanges(argument: unknown, deps: ChangesDeps): Promise<void> {
  const { l10n } = vscode;
  const given = Argument.safeParse(argument).data;
  if (!given) return;
  const address = requireAddress(given.address);
  const { network } = deps.session;
  const found = await findSource(address, network, deps);
  if (found === 'cancelled') return;
  if (!found) {
    const message = l10n.t('No allowed provider has a verified source for {0}.', toChecksumAddress(address));
    void showMessage('information', message);
    return;
  }
  const index = await deps.contracts.index();
  const contract = findContract(index, { name: given.contract, source: given.source });
  const pairs = await listChangedFiles(found, contract, deps.contracts);
  if (pairs.length === 0) {
    void showMessage('information', l10n.t('The verified source is that of the workspace.'));
    return;
  }
  const title = l10n.t('{0}: deployed and in the workspace', given.contract);
  await showChanges(title, pairs.slice(0, MAX_CHANGED_FILES));
}

/** From an allowed provider, else from a third party once the user allows it. */
async function findSource(
  address: Address,
  network: Network,
  deps: ChangesDeps,
): Promise<VerifiedSource | 'cancelled' | undefined> {
  const { reader, consent } = await deps.verified();
  const checksummed = toChecksumAddress(address);
  const find = () =>
    withDelayedProgress(vscode.l10n.t('Fetching the source of {0}', checksummed), (options) =>
      reader.findSource(address, network, options),
    );
  const first = await find().catch((error: unknown) => ({ error }));
  if (first === 'cancelled' || (first && !('error' in first))) return first;
  if (await consent.requestSourceConsent(checksummed, network)) return find();
  if (first) throw first.error;
  return undefined;
}

interface ChangedFile {
  readonly label: string;
  /** Undefined if only the workspace has it. */
  readonly deployed: vscode.Uri | undefined;
  /** Undefined if only the verified source has it. */
  readonly local: vscode.Uri | undefined;
}

/** The files whose texts differ, and those that the workspace lacks; the contract's own file first. */
async function listChangedFiles(
  { files: { files }, contract: { name }, uriOf }: VerifiedSource,
  contract: IndexedContract | undefined,
  { files: project, uriOf: localUriOf }: WorkspaceContracts,
): Promise<readonly ChangedFile[]> {
  const own = await findDeclaringFile(files, contract?.name ?? name);
  const changed: (ChangedFile & { readonly isOwn: boolean })[] = [];
  for (const { path, text: deployed } of files) {
    const isOwn = path === own;
    const local = await findLocalFile(path, isOwn ? contract?.source : undefined, contract, project);
    if (local && normalizeLines(local.text) === normalizeLines(deployed)) continue;
    const uri = local && localUriOf(local.path);
    changed.push({ label: path, deployed: uriOf(path), local: uri, isOwn });
  }
  return changed.sort((a, b) => Number(b.isOwn) - Number(a.isOwn));
}

const normalizeLines = (code: string) => code.replaceAll('\r\n', '\n').trimEnd();

async function findDeclaringFile(
  files: VerifiedFiles['files'],
  name: string | undefined,
): Promise<string | undefined> {
  const reader = createSourceFilesReader(files, { slices: createTimeSlices(systemClock) });
  for (const path of reader.paths) {
    const facts = await reader.read(path);
    if (facts?.contracts.some((one) => one.name === name)) return path;
  }
  return undefined;
}

/** By the same path in the project, else by the one that tools compile it under. */
async function findLocalFile(
  path: string,
  declared: string | undefined,
  contract: IndexedContract | undefined,
  files: WorkspaceContracts['files'],
): Promise<{ readonly path: string; readonly text: string } | undefined> {
  const root = contract?.project ?? '';
  const inner = path.replace(/^project\//, '');
  const candidates = [
    ...(declared === undefined ? [] : [declared]),
    ...[
      inner,
      `lib/${inner}`,
      `node_modules/${inner.replace(/^npm\//, '').replace(/@\d[\w.-]*\//, '/')}`,
    ].map((each) => (root === '' ? each : `${root}/${each}`)),
  ];
  for (const candidate of candidates) {
    const bytes = await files?.read(candidate, MAX_FILE_BYTES);
    if (bytes) return { path: candidate, text: new TextDecoder().decode(bytes) };
  }
  return undefined;
}
