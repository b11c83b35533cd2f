import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands, EventEmitter, type Memento, Uri, window } from 'vscode';
import {
  badInput,
  createChainClient,
  createLogStore,
  sanitizeText,
  systemClock,
} from '../../../../src/core/index.ts';
import { AddressBook, MAX_TOKENS } from '../../../../src/features/addresses/addressBook.ts';
import { pickHolding } from '../../../../src/features/addresses/commands/holdingCommands.ts';
import { createBalanceLines } from '../../../../src/features/addresses/hover/hoverBalances.ts';
import {
  createHeadingLines,
  createIdentityLines,
} from '../../../../src/features/addresses/hover/hoverContent.ts';
import { createNodeRow } from '../../../../src/features/addresses/tree/addressItems.ts';
import { ContractTree } from '../../../../src/features/contracts/contractTree.ts';
import { exportLogs } from '../../../../src/features/logs/export/exportLogs.ts';
import { addNetwork } from '../../../../src/features/network/addNetwork.ts';
import { setApiKey } from '../../../../src/features/network/apiKey.ts';
import { editNetwork, removeNetwork } from '../../../../src/features/network/editNetwork.ts';
import { askForKey } from '../../../../src/features/network/secretInput.ts';
import { selectNetwork as chooseNetwork } from '../../../../src/features/network/selectNetwork.ts';
import { formatNftPanelTitle } from '../../../../src/features/nfts/nftPanel.ts';
import { ChainTree } from '../../../../src/features/status/chainTree.ts';
import { createStatusItem } from '../../../../src/features/status/statusItem.ts';
import { showError } from '../../../../src/host/errors.ts';
import { createHttp } from '../../../../src/host/session/http.ts';
import { createMarkdown } from '../../../../src/host/ui/markdown.ts';
import { openWebviewTab, setTabTitle } from '../../../../src/host/ui/panels.ts';
import { toTreeItem } from '../../../../src/host/ui/tree.ts';
import { hostileTexts } from '../../../fixtures/hostileTexts.ts';
import { byTurns } from '../../../support/fullRun.ts';
import { noVerdicts } from '../../../support/host/addressView.ts';
import { useDialogs } from '../../../support/host/dialogs.ts';
import {
  errorWith,
  HOLDER,
  holdingsNamed,
  identityNamed,
  networkNamed,
  nodesNamed,
} from '../../../support/host/hostileNodes.ts';
import { memoryContracts, memoryMemento } from '../../../support/host/memoryFiles.ts';
import { type RecordedServer, startRecordedServer } from '../../../support/host/recordedServer.ts';
import { selectNetwork, useNetworks } from '../../../support/host/settings.ts';
import { answerEach, type RpcRequest } from '../../../support/loopbackServer.ts';
import { memoryBookFiles } from '../../../support/memory.ts';
import { findUnsafeMarkdown, findUnsafeParts } from '../../../support/untrustedText.ts';
import { useExtension } from '../../../support/vscode/extension.ts';

const texts = Object.entries(hostileTexts);

describe('words of servers, contracts, files and settings', function () {
  useExtension();
  // Each test puts some seventy texts through a whole command; outside of a full run the three slowest have a quarter.
  this.timeout(180_000);
  const log = window.createOutputChannel('Hostile words under test', { log: true });
  const http = createHttp(() => {});
  let server: RecordedServer;
  const words = useDialogs({ notesItems: true });
  let folder: string;

  before(async () => {
    server = await startRecordedServer();
    folder = await mkdtemp(join(tmpdir(), 'chainside-words-'));
  });
  after(async () => {
    log.dispose();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });
  useNetworks(() => ({ hostile: { name: 'Hostile', chainId: 5, rpcUrl: server.url } }));

  /** The services as far as the dialogs ask them, of networks that are named `text`. */
  function servicesNamed(text: string) {
    const network = networkNamed(text, server.url);
    const none = new EventEmitter<void>().event;
    return {
      ...{ http, log, clock: http.clock, version: '0', storageUri: Uri.file(join(folder, 'storage')) },
      workspaceState: memoryMemento(),
      session: {
        ...{ network, isChosen: true, onDidChange: none, onDidChangeSources: none },
        client: { dialect: () => ({}), getBlockNumber: async () => 7n },
        keyState: async () => 'notServed',
        secretState: async () => 'missing',
        httpFor: () => http,
      },
      secrets: { get: async () => undefined },
      credits: { of: () => 7 },
      settings: {
        current: {
          networks: [network, { ...network, id: 'mainnet' }, { ...network, id: 'named' }],
          ...{ statusBarEnabled: true, exportRecord: true },
        },
        invalidSettings: [{ setting: 'chainside.network', error: { code: 'unknownNetwork', id: text } }],
        onDidChange: none,
        ...{ saveNetwork: async () => {}, selectNetwork: async () => {}, removeNetwork: async () => {} },
        writtenIds: ['named'],
      },
      keys: { get: async () => undefined },
      head: {
        state: { failures: 2, error: errorWith(text) },
        ...{ onDidChange: none, setVisible() {} },
      },
    } as never as Parameters<typeof addNetwork>[0] & ConstructorParameters<typeof ChainTree>[0];
  }

  it('do nothing in the notification of a token that the server will not let be watched', async () => {
    await selectNetwork('hostile');
    for (const [what, message] of texts) {
      server.answer = ({ body }) => rpc(body, (call) => (isProbe(call) ? PROBE : { code: -32000, message }));
      await commands.executeCommand('chainside.watchToken', HOLDER);
      assert.deepEqual(words.harm(), [], what);
    }
  });

  it('do nothing in the words about a token that was named so', async () => {
    await selectNetwork('hostile');
    const named = new Map(
      byTurns(texts, 4, 0).map(([, text], index) => [
        `0x${(index + 1).toString(16).padStart(40, '0')}`,
        text,
      ]),
    );
    const nameOf = ({ params: [call] }: Call) => named.get(call?.to ?? '') ?? '';
    server.answer = ({ body }) =>
      rpc(body, (call) => (isProbe(call) ? PROBE : tokenAnswer(call, nameOf(call))));
    const contracts = [...named.keys()];
    // As many as can be watched, at a time.
    for (let from = 0; from < contracts.length; from += MAX_TOKENS) {
      const some = contracts.slice(from, from + MAX_TOKENS);
      const forEach = (command: string) =>
        Promise.all(some.map((contract) => commands.executeCommand(command, contract)));
      const label = (labelOf: (contract: string) => string) =>
        Promise.all(
          some.map((contract) =>
            commands.executeCommand('chainside.labelAddress', contract, labelOf(contract)),
          ),
        );
      await label((contract) => named.get(contract) ?? '');
      await forEach('chainside.watchToken');
      await forEach('chainside.watchAddress');
      assert.equal(words.shown.filter((shown) => shown.startsWith('Watching ')).length, 2 * some.length);
      words.choose = ({ length }) => {
        assert.equal(length, some.length);
        return 0;
      };
      await commands.executeCommand('chainside.unwatchToken');
      assert.ok(words.shown.includes('Stop Watching Token'));
      assert.deepEqual(words.harm(), []);
      await forEach('chainside.unwatchToken');
      await forEach('chainside.unwatchAddress');
      await label(() => '');
    }
  });

  it('do nothing when an export of the whole query is refused, in the name of the file or in its failure', async () => {
    const filter = { addresses: [], topics: [], fromBlock: 0n, toBlock: 9n };
    const client = createChainClient({ ...http, url: server.url });
    const verdict = {
      ...{ state: 'more', reasons: [], fromBlock: 0n, toBlock: 9n, head: 9n, rows: 0, requests: 1 },
    } as never as Parameters<typeof exportLogs>[0]['verdict'];
    words.choose = (labels) => labels.findIndex((label) => /^(NDJSON|All logs of the query)$/.test(label));
    for (const [what, message] of byTurns(texts, 4, 1)) {
      const services = servicesNamed(message);
      const deps = services as never as Parameters<typeof exportLogs>[1];
      const { network } = services.session;
      const answer = { network, client, filter, rows: createLogStore(), verdict };
      const name = message.replace(/[/\\\0]/g, '_').slice(0, 60) || 'empty';
      server.answer = ({ body }) => rpc(body, () => ({ code: -32000, message }));
      words.saveAs = Uri.file(join(folder, name));
      await exportLogs(answer, deps);
      await exportLogs({ ...answer, verdict: { ...verdict, state: 'uncertain' } }, deps);
      words.saveAs = Uri.file(join(folder, 'missing', name));
      await exportLogs({ ...answer, verdict }, deps);
      assert.ok(words.shown.filter((shown) => /^Cannot write the file/.test(shown)).length > 0, what);
      assert.deepEqual(words.harm(), [], what);
    }
  });

  it('do nothing where a key is asked for and refused', async () => {
    for (const [what, text] of texts) {
      for (const canSave of [true, false]) {
        words.types = ['one', 'two'];
        await askForKey({
          title: text,
          prompt: text,
          check: async () => ({ reason: { problem: text, canSave } }),
        });
        assert.deepEqual(words.harm(), [], what);
      }
      await setApiKey(servicesNamed(text));
      assert.deepEqual(words.harm(), [], what);
    }
  });

  it('do nothing where networks are chosen, asked, saved, edited and removed', async () => {
    for (const [what, text] of byTurns(texts, 4, 2)) {
      const answers = new Map([
        ['eth_chainId', '0x5'],
        ['web3_clientVersion', text],
      ]);
      server.answer = ({ body }) => rpc(body, ({ method }) => answers.get(method) ?? '0x7');
      const services = servicesNamed(text);
      words.choose = () => -1;
      await chooseNetwork(services, undefined);
      await chooseNetwork(services, text);
      words.choose = (labels) => labels.indexOf('Add Without Selecting');
      words.types = [server.url];
      await addNetwork(services);
      assert.ok(
        words.shown.some((shown) => /^Added /.test(shown)),
        what,
      );
      words.types = [text];
      await addNetwork(services);
      words.choose = (labels) => Math.max(labels.indexOf('Save'), labels.indexOf('Remove'));
      await editNetwork(services, 'mainnet');
      await removeNetwork(services, 'named');
      assert.deepEqual(words.harm(), [], what);
    }
  });

  it('do nothing when an endpoint that is asked before it is saved refuses with them', async () => {
    for (const [what, message] of texts) {
      server.answer = ({ body }) => rpc(body, () => ({ code: -32000, message }));
      words.types = [server.url];
      await addNetwork(servicesNamed('Name'));
      assert.ok(words.shown.some((shown) => shown.endsWith('Press Enter to retry')));
      assert.deepEqual(words.harm(), [], what);
    }
  });

  it('do nothing in the status bar and in the rows of the chain', async () => {
    for (const [what, text] of texts) {
      const services = servicesNamed(text);
      createStatusItem(services).dispose();
      assert.deepEqual(words.harm(), [], what);
      const tree = new ChainTree(services);
      for (const row of await tree.getChildren()) {
        assert.deepEqual(harmInRow(toTreeItem(tree.getTreeItem(row))), [], what);
      }
      tree.dispose();
    }
  });

  it('do nothing in the rows of addresses, and in the list of what one holds', async () => {
    for (const [what, text] of texts) {
      const context = {
        session: { network: networkNamed(text, server.url), isChosen: true },
        settings: { current: { networks: [networkNamed(text, server.url)] } },
        names: {
          nameOf: () => ({ name: text, provider: 'label', file: text }),
          namesOf: () => [],
          elsewhere: () => [],
        },
        book: { label: () => text, isWatched: () => true, watched: [], recent: [], tokens: [] },
        balances: {
          native: () => ({ state: 'none' }),
          nativeChange: () => undefined,
          availableHoldings: () => undefined,
        },
        identities: { get: () => identityNamed(text), errorOf: () => undefined },
        clock: systemClock,
        startsUnfolded: () => true,
        onTooltip: () => undefined,
      } as never as Parameters<typeof createNodeRow>[1];
      for (const node of nodesNamed(text)) {
        const item = toTreeItem(createNodeRow(node, context));
        assert.deepEqual(harmInRow(item), [], `${what}, ${node.kind}`);
      }
      await pickHolding({ kind: 'address', group: 'watched', account: HOLDER }, holdingsNamed(text), text);
      assert.deepEqual(words.harm(), [], what);
    }
  });

  it('do nothing in the rows of contracts', async () => {
    for (const [what, text] of texts) {
      const network = networkNamed(text, server.url);
      const contracts = memoryContracts();
      const deployment = { contract: text, block: undefined, transaction: HOLDER, commit: text };
      contracts.put(text, {
        contracts: [{ name: text, source: text, line: 1, abi: [text], itemLines: undefined }],
        deployments: ['5', '6'].map((chainId) => ({ ...deployment, chainId, address: HOLDER })),
      });
      const tree = new ContractTree({
        contracts,
        session: { network, onDidChange: contracts.onDidChange },
        settings: { current: { networks: [network] }, onDidChange: contracts.onDidChange },
        identities: {
          onDidChange: contracts.onDidChange,
          get: () => undefined,
          loadListed: async () => undefined,
        },
        verdicts: noVerdicts,
      } as never);
      const roots = await tree.getChildren();
      const below = await Promise.all(roots.map((row) => tree.getChildren(row)));
      assert.ok(below.flat().length > 0, what);
      for (const row of [...roots, ...below.flat()]) {
        assert.deepEqual(harmInRow(toTreeItem(tree.getTreeItem(row))), [], what);
      }
      tree.dispose();
    }
  });

  it('do nothing in a hover', () => {
    for (const [what, text] of texts) {
      const network = networkNamed(text, server.url);
      const found = { address: HOLDER, written: HOLDER, offset: 0 };
      const { balances } = holdingsNamed(text).holdings;
      const failed = { state: 'failed', error: errorWith(text) } as const;
      const tokens = { state: 'ready', value: { state: 'ready', balances } } as const;
      const native = {
        state: 'ready',
        value: {
          balance: { state: 'known', wei: 1n },
          head: { block: 7n, firstSeenAt: 0, firstSeenElapsed: 0 },
          readAt: 0,
        },
      } as const;
      const watched = {
        state: 'ready',
        value: [{ contract: HOLDER, balance: { state: 'known', amount: 1n, symbol: text, decimals: 6 } }],
      } as const;
      const place = { file: text, line: 0, character: 0 };
      const deps = { network, place, clock: systemClock, kind: undefined };
      const given = { name: text, provider: 'label', file: text, line: 1 } as const;
      const deployment = { contract: text, chainId: '5', block: 1n, commit: text, file: text };
      const names = {
        nameOf: () => given,
        namesOf: () => [given, given, given, given],
        elsewhere: () => [deployment],
        contracts: {
          uriOf: () => undefined,
          known: { deploymentsAt: () => [deployment], contractOf: () => undefined },
        },
      };
      const units = { symbol: text, decimals: 6 };
      for (const lines of [
        createHeadingLines(found, {
          names,
          session: { network, isChosen: true },
          settings: { current: { networks: [] } },
          units,
        } as never),
        createIdentityLines(identityNamed(text), { nameOf: () => text, clock: systemClock }),
        createBalanceLines({ native, watched, provider: tokens }, deps),
        createBalanceLines({ native: failed, watched: failed, provider: failed }, deps),
        createBalanceLines(
          {
            native: { ...failed, before: { value: native.value, readElapsed: 0 } },
            watched,
            provider: tokens,
          },
          deps,
        ),
      ]) {
        assert.deepEqual(findUnsafeMarkdown(createMarkdown(lines)), [], what);
      }
    }
  });

  it('do nothing in a message of an error, in what was copied and in the title of a tab', async () => {
    for (const [what, text] of texts) {
      const network = networkNamed(text, server.url);
      for (const error of [errorWith(text), badInput('address', text), new Error(text)]) {
        await showError(error, { service: 'endpoint', network, log }, true);
        assert.deepEqual(words.harm(), [], what);
      }
      await commands.executeCommand('chainside.copyValue', text);
      const contract = { value: { state: 'known', contract: { name: text } } } as never;
      setTabTitle(
        openWebviewTab('x', text),
        formatNftPanelTitle({ contractAddress: HOLDER, tokenId: 1n, contract }),
      );
      assert.deepEqual(words.harm(), [], what);
    }
  });

  it('are plain text as labels, stored by whomever', async () => {
    for (const [, text] of texts) {
      const stored = new Map<string, unknown>([['addresses:5', { labels: { [HOLDER]: text } }]]);
      const storage = {
        get: (key: string) => stored.get(key),
        update: async (key: string, value: unknown) => void stored.set(key, value),
      } as never as Memento;
      const { session } = servicesNamed('x');
      const book = new AddressBook({ files: memoryBookFiles(), storage, session });
      await book.ready;
      const label = book.label(HOLDER) ?? '';
      assert.equal(sanitizeText(label), label);
      await book.setLabel(HOLDER, text);
      assert.equal(sanitizeText(book.label(HOLDER) ?? ''), book.label(HOLDER) ?? '');
      book.dispose();
    }
  });
});

function harmInRow({
  label,
  description,
  tooltip,
  accessibilityInformation,
  command,
}: ReturnType<typeof toTreeItem>): readonly string[] {
  const lines = String(tooltip).split('\n');
  const shown = [label, description, ...lines, accessibilityInformation?.label, command?.title ?? ''];
  return shown.map(String).flatMap(findUnsafeParts);
}

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly { readonly to?: string; readonly data?: string }[];
}

/** What an endpoint answers that has `eth_call`, when it is asked whether it has. */
const PROBE = '0x43686169';

function isProbe({ method, params }: Call): boolean {
  return method === 'eth_call' && params[0]?.data === PROBE;
}

/** An answer with a result, which is text, or with an error. */
function rpc(body: string, answer: (call: Call) => string | { code: number; message: string }) {
  const answerCall = (call: RpcRequest) => {
    const given = answer(call as Call);
    const outcome = typeof given === 'string' ? { result: given } : { error: given };
    return { jsonrpc: '2.0', id: call.id, ...outcome };
  };
  return { body: answerEach(answerCall)(JSON.parse(body)) };
}

/** A contract that answers as an ERC-20 token named `text` does. */
function tokenAnswer({ params }: Call, text: string): string {
  if (params[0]?.data !== '0x95d89b41') return `0x${'1'.padStart(64, '0')}`;
  const bytes = Buffer.from(text.slice(0, 5000));
  const padded = bytes.toString('hex').padEnd(Math.ceil(bytes.length / 32) * 64, '0');
  return `0x${'20'.padStart(64, '0')}${bytes.length.toString(16).padStart(64, '0')}${padded}`;
}
