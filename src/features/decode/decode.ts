import * as vscode from 'vscode';
import {
  badInput,
  type Clock,
  createLogDecoder,
  createTimeSlices,
  formatShortAddress,
  formatUnitsGrouped,
  mergeLookups,
  parseHexData,
} from '../../core/index.ts';
import { registerCommand } from '../../host/commands.ts';
import type { WorkspaceContracts } from '../../host/contracts/workspaceContracts.ts';
import { Disposables } from '../../host/disposables.ts';
import type { LogDecoding } from '../../host/logDecoding.ts';
import type { AddressNames } from '../../host/names/addressNames.ts';
import { findAmountAt } from '../../host/places/amountInText.ts';
import { isContractCode } from '../../host/places/documents.ts';
import type { FoundHex } from '../../host/places/hexInText.ts';
import { findNumberAt } from '../../host/places/numberInText.ts';
import type { Session } from '../../host/session/session.ts';
import type { SettingsService } from '../../host/settings/settings.ts';
import { settleWithin } from '../../host/timing.ts';
import { showMessage } from '../../host/ui/dialogs.ts';
import type { HoverContent } from '../../host/ui/languageFeatures.ts';
import type { MarkdownLines } from '../../host/ui/markdown.ts';
import {
  type DocumentPage,
  openReadOnlyDocuments,
  type ReadOnlyDocuments,
  type RestoredPage,
} from '../../host/ui/readOnlyDocuments.ts';
import type { VirtualFileChanges } from '../../host/ui/virtualFiles.ts';
import { toAbortSignal } from '../../host/ui/window.ts';
import type { documentSchemes } from '../../manifest.ts';
import { createBlockHovers } from './blockHover.ts';
import { CallTree } from './callTree.ts';
import { createHexDocument, createLogsDocument, type DecodingContext } from './decodedDocument.ts';
import {
  type DecodeInput,
  formatInputKey,
  getDecodeInput,
  getTerminalInput,
  parseInputKey,
} from './decodeInput.ts';
import { findCall } from './findCall.ts';
import { findHexItems, findLogItems, type HexItem } from './findItems.ts';
import { createHexHover, findCallSelector } from './hexHover.ts';
import {
  createKnowledgeReader,
  type DecodingKnowledge,
  type KnowledgeReader,
  loadFullKnowledge,
} from './knowledge.ts';
import { showBlock } from './showBlock.ts';
import { restoreTransaction, showTransaction } from './showTransaction.ts';
import { simulateGivenCall, simulateTransaction } from './simulate.ts';
import { findTerminalLinks, openTerminalLink } from './terminalLinks.ts';
import { createTransactionHover } from './transactionHover.ts';
import { createTransactionReader } from './transactionReader.ts';

export interface DecodeFeatureDeps {
  readonly session: Session;
  readonly settings: SettingsService;
  readonly contracts: WorkspaceContracts;
  /** Loaded with the first transaction. */
  readonly meaning: () => Promise<LogDecoding>;
  /** Loaded on first use. */
  readonly names: () => Promise<AddressNames>;
  readonly clock: Clock;
  readonly log: vscode.LogOutputChannel;
  /** Of the documents. */
  readonly files: VirtualFileChanges;
}

interface DecodeFeature extends vscode.Disposable {
  readonly calls: CallTree;
  /** The text of a document of one of the two schemes. */
  readFile(uri: vscode.Uri): Promise<Uint8Array>;
  /** Of a line of a terminal. */
  readonly findLinks: typeof findTerminalLinks;
  readonly openLink: typeof openTerminalLink;
  /** Undefined if nothing matches the hex. */
  createHover(
    found: FoundHex,
    place: {
      readonly document: vscode.TextDocument;
      readonly line: number;
      readonly token: vscode.CancellationToken;
    },
  ): Promise<HoverContent | undefined>;
  /** Undefined if there is no number, or nothing to say of it. */
  createNumberHover(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<HoverContent | undefined>;
}

// Not from the manifest module, which is loaded at the start.
const decodedScheme: (typeof documentSchemes)[0] = 'chainside-decoded';
const transactionScheme: (typeof documentSchemes)[1] = 'chainside-transaction';

/** The whole feature but its registrations in the editor; registers the commands. */
export function openDecode(deps: DecodeFeatureDeps): DecodeFeature {
  const disposables = new Disposables();
  const { files } = deps;
  const knowledge = createKnowledgeReader(deps);
  const reader = createTransactionReader(deps);
  const calls = disposables.add(new CallTree());
  const readDeps = { ...deps, knowledge, reader, calls };
  const pages = disposables.add(
    openReadOnlyDocuments(decodedScheme, { files, restore: (key) => restoreDecoded(key, readDeps) }),
  );
  const transactionPages = disposables.add(
    openReadOnlyDocuments(transactionScheme, { files, restore: (key) => restoreTransaction(key, readDeps) }),
  );
  disposables.add(deps.session.onDidChange(() => transactionPages.restoreIncomplete()));
  const decodeDeps = { ...readDeps, pages };
  disposables.add(
    registerCommand('chainside.decode', async (given) =>
      decodeInput(await getDecodeInput(given), decodeDeps, given !== undefined),
    ),
  );
  disposables.add(
    registerCommand('chainside.decodeTerminalSelection', async (terminal) =>
      decodeInput(await getTerminalInput(terminal), decodeDeps),
    ),
  );
  const showDeps = { ...readDeps, pages: transactionPages };
  disposables.add(registerCommand('chainside.showTransaction', (given) => showTransaction(given, showDeps)));
  disposables.add(
    registerCommand('chainside.simulateTransaction', (given) => simulateTransaction(given, showDeps)),
  );
  disposables.add(registerCommand('chainside.simulateCall', (given) => simulateGivenCall(given, showDeps)));
  disposables.add(registerCommand('chainside.showBlock', (given) => showBlock(given, showDeps)));
  const createBlockHover = createBlockHovers(deps);
  return {
    calls,
    readFile: (uri) => (uri.scheme === decodedScheme ? pages : transactionPages).readFile(uri),
    findLinks: findTerminalLinks,
    openLink: openTerminalLink,
    async createHover(found, { document, line, token }) {
      const position = new vscode.Position(line, found.offset);
      const place = { document, position };
      const signal = toAbortSignal(token);
      const lines =
        (await createHexHover(found, { ...deps, knowledge, place })) ??
        (await createTransactionHover(found, { ...deps, knowledge, reader, place, signal }));
      return lines && { lines, range: new vscode.Range(position, position.translate(0, found.length)) };
    },
    async createNumberHover(document, { line, character }, token) {
      const { text } = document.lineAt(line);
      const toRange = ({ offset, length }: { readonly offset: number; readonly length: number }) =>
        new vscode.Range(line, offset, line, offset + length);
      const number = findNumberAt(text, character);
      if (number?.isBlock) {
        const lines = await createBlockHover(number, toAbortSignal(token));
        return lines && { lines, range: toRange(number) };
      }
      const amount = isContractCode(document) ? findAmountAt(text, character) : undefined;
      return amount && { lines: createAmountLines(amount.wei), range: toRange(amount) };
    },
    dispose: () => disposables.dispose(),
  };
}

interface CreateDeps {
  readonly session: Session;
  readonly contracts: WorkspaceContracts;
  readonly clock: Clock;
  readonly knowledge: KnowledgeReader;
  readonly meaning: () => Promise<LogDecoding>;
}

/** A slow provider of names must not delay the document longer. */
const SIGNATURES_TIMEOUT_MS = 4_000;

interface DecodeDeps extends CreateDeps {
  readonly pages: Pick<ReadOnlyDocuments, 'show'>;
}

/**
 * Opens a document for an input; undefined if the user cancelled.
 *
 * @throws AppError `badInput` if an argument contains no hex.
 */
async function decodeInput(
  input: DecodeInput | undefined,
  deps: DecodeDeps,
  isArgument = false,
): Promise<void> {
  if (!input) return;
  const page = await createPage(input, deps);
  if (page) await deps.pages.show({ ...page, key: formatInputKey(input) });
  else if (isArgument) throw badInput('hex', 'No hex found in the argument.');
  else void showMessage('information', vscode.l10n.t('No hex found in the selection.'));
}

/** The page of an input that an earlier window decoded, decoded anew. */
async function restoreDecoded(key: string, deps: CreateDeps): Promise<RestoredPage> {
  const page = await createPage(parseInputKey(key), deps);
  const text = vscode.l10n.t('The input was too long to be restored. Decode it again.');
  return page ?? { lines: [{ level: 0, text }] };
}

/** Undefined if the input has no hex. */
async function createPage(
  input: DecodeInput,
  { session, clock, contracts, meaning, knowledge: reader }: CreateDeps,
): Promise<DocumentPage | undefined> {
  const logs = findLogItems(input.text);
  const hexes = logs ? undefined : findHexItems(input.text, input.firstLine);
  if (hexes && hexes.items.length === 0) return undefined;
  const knowledge = await loadFullKnowledge(reader);
  const { format, isWhole } = knowledge;
  const decoding = await meaning();
  const selectors = (hexes?.items ?? []).flatMap(({ hex }) => {
    const data = parseHexData(hex);
    return (data && findCallSelector(data)) ?? [];
  });
  const prefetching = decoding.prefetchSelectors(selectors, session.network, { mayAsk: true });
  await settleWithin(SIGNATURES_TIMEOUT_MS, prefetching);
  const lookup = mergeLookups(knowledge.lookup, decoding.signatures);
  const context: DecodingContext = {
    lookup,
    format,
    slices: createTimeSlices(clock),
    decoder: createLogDecoder({ lookup, chainId: session.network.chainId }),
    intro: createIntro(input, knowledge),
    call: hexes && session.isChosen ? findCall(input.text) : undefined,
    networkName: session.network.name,
    chainId: session.network.chainId,
    help: formatHelp(contracts, isWhole),
  };
  const lines = logs
    ? await createLogsDocument(logs, context)
    : await createHexDocument(hexes ?? { items: [], left: 0 }, context);
  return { title: logs ? vscode.l10n.t('Decoded Logs') : formatTitle(hexes?.items ?? []), lines };
}

function formatTitle([first, ...others]: readonly HexItem[]): string {
  const hex = first?.hex ?? '';
  const shown = hex.length <= SELECTOR_CHARS ? hex : formatShortAddress(hex);
  return others.length === 0
    ? vscode.l10n.t('Decoded {0}', shown)
    : vscode.l10n.t('Decoded {0} and {1} more', shown, others.length);
}

const SELECTOR_CHARS = 10;

function createIntro({ origin }: DecodeInput, { isWhole }: DecodingKnowledge): readonly string[] {
  const { l10n } = vscode;
  const texts = {
    given: l10n.t('Decoded'),
    selection: l10n.t('Decoded from the selection'),
    cursor: l10n.t('Decoded at the cursor'),
    terminal: l10n.t('Decoded from the selection in the terminal'),
    clipboard: l10n.t('Decoded from the clipboard'),
    typed: l10n.t('Decoded from your input'),
  };
  const unread = l10n.t('The contracts of the workspace are still loading. Results may be incomplete.');
  return [texts[origin], ...(isWhole ? [] : [unread])];
}

/** What to do if nothing matches. */
function formatHelp({ known: knowledge }: WorkspaceContracts, isWhole: boolean): string | undefined {
  const { l10n } = vscode;
  if (!vscode.workspace.isTrusted) {
    return l10n.t('Only bundled lists are searched. Trust the workspace to use its contracts.');
  }
  if ((vscode.workspace.workspaceFolders?.length ?? 0) === 0) {
    return l10n.t('Open the folder that contains the source or the build output of the contract.');
  }
  if (!isWhole) return l10n.t('Decode again after the workspace has loaded.');
  const contracts = knowledge?.contracts.length ?? 0;
  if (contracts === 0) {
    return l10n.t('No contracts found in the workspace. Build the project or add an ABI file.');
  }
  return contracts === 1
    ? l10n.t('Not found in the 1 contract of the workspace. Build the project or add an ABI file.')
    : l10n.t(
        'Not found in the {0} contracts of the workspace. Build the project or add an ABI file.',
        contracts,
      );
}

const ETHER_DECIMALS = 18;
const GWEI_DECIMALS = 9;
/** Below 0.001 ether. */
const MAX_SMALL_WEI = 10n ** 15n - 1n;

/** An amount of wei in ether, a small one in gwei first, and with all digits. */
function createAmountLines(wei: bigint): MarkdownLines {
  const { l10n } = vscode;
  const ether = l10n.t('{0} ether', formatUnitsGrouped(wei, ETHER_DECIMALS));
  const gwei = l10n.t('{0} gwei', formatUnitsGrouped(wei, GWEI_DECIMALS));
  const all = l10n.t('{0} wei', formatUnitsGrouped(wei, 0));
  const [first, ...others] = wei > MAX_SMALL_WEI ? [ether, all] : [gwei, ether, all];
  return [[{ icon: 'symbol-number' }, { strong: first ?? '' }, '·', others.join(' · ')]];
}
