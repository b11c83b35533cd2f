import assert from 'node:assert/strict';
import { commands, type Hover, MarkdownString, Position, type TextDocument } from 'vscode';
import type { TokenBalance, TokenBalances } from '../../../../../src/core/index.ts';
import { formatShortValue } from '../../../../../src/features/addresses/balances/formatBalance.ts';
import { registerAddressHover } from '../../../../../src/features/addresses/hover/hover.ts';
import { formatHoldingsLine } from '../../../../../src/features/addresses/hover/hoverBalances.ts';
import type { AddressHoverContent } from '../../../../../src/features/addresses/hover/hoverContent.ts';
import { lazyPart } from '../../../../../src/host/commands.ts';
import type { SettingsService } from '../../../../../src/host/settings/settings.ts';
import { stubDialogs } from '../../../../support/host/dialogs.ts';
import { openText } from '../../../../support/host/openText.ts';
import { selectNetwork, useNetworks, writeSettings } from '../../../../support/host/settings.ts';
import {
  answerEach,
  type LoopbackServer,
  type RpcRequest,
  startRpcServer,
} from '../../../../support/loopbackServer.ts';
import { useExtension } from '../../../../support/vscode/extension.ts';

const RIGHT = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const WRONG = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD';
const NO_CONTRACT = {
  eth_getCode: '0x',
  eth_getStorageAt: '0x0',
  eth_call: '0x',
  ots_getContractCreator: null,
};

/** Texts of the hovers at a place, the extension's own only. */
async function hover(document: TextDocument, character: number): Promise<MarkdownString[]> {
  const hovers = await commands.executeCommand<Hover[]>(
    'vscode.executeHoverProvider',
    document.uri,
    new Position(0, character),
  );
  return hovers.flatMap(({ contents }) => contents).filter((content) => content instanceof MarkdownString);
}

const textOf = (contents: readonly MarkdownString[]) => contents.map(({ value }) => value).join('\n');

/** As {@link hover}, once all is loaded: on a busy machine a hover may be shown before that. */
async function loadedHover(document: TextDocument, character: number): Promise<MarkdownString[]> {
  for (;;) {
    const contents = await hover(document, character);
    if (!/still loading/.test(textOf(contents))) return contents;
  }
}

async function hoverText(text: string, character: number, language = 'plaintext'): Promise<string> {
  const document = await openText(text, language);
  return textOf(await loadedHover(document, character));
}

describe('hover on an address', () => {
  useExtension();
  let server: LoopbackServer;
  let requests: RpcRequest[] = [];
  let answer: (request: RpcRequest) => unknown;
  const answers = (fields: Record<string, unknown>) => (request: RpcRequest) => ({
    jsonrpc: '2.0',
    id: request.id,
    result: fields[request.method],
  });

  before(async () => {
    server = await startRpcServer(
      answerEach((request) => {
        requests.push(request);
        return answer(request);
      }),
    );
  });
  after(() => server.close());
  useNetworks(() => ({
    counted: { name: 'Counted', chainId: 31337, rpcUrl: server.url, symbol: 'CNT' },
    // What was read on the other is forgotten.
    other: { name: 'Other', chainId: 5, rpcUrl: server.url, symbol: 'CNT' },
  }));
  beforeEach(async () => {
    answer = answers({ eth_blockNumber: '0x10', eth_getBalance: '0x0', ...NO_CONTRACT });
    requests = [];
    await selectNetwork('other');
    await selectNetwork('counted');
  });

  it('shows network, balance, actions and block, in a file of any language', async () => {
    answer = answers({ eth_blockNumber: '0x10', eth_getBalance: '0x14d1120d7b160000', ...NO_CONTRACT });
    for (const language of ['plaintext', 'json', 'rust']) {
      const text = await hoverText('"0x70997970C51812dc3A010C7d01b50e0d17dc79C8"', 10, language);
      assert.match(
        text,
        /^\*\*anvil \\#1\*\* · Counted\n\nAccount of development nodes\n1\\\.5 CNT\n\n---\n\n/,
      );
      assert.match(text, /\n\n\[Look Up\]\(command:chainside\.lookUpAddress/);
      assert.match(text, /\n\\#16 · (?:just now|\d+ s ago)$/);
      assert.doesNotMatch(text, /checksum/i);
    }
  });

  it('says that the endpoint has no record, which is not zero', async () => {
    const error = { code: -32602, message: 'Balance not found' };
    const others = answers({ eth_blockNumber: '0x10', ...NO_CONTRACT });
    answer = (request) =>
      request.method === 'eth_getBalance' ? { jsonrpc: '2.0', id: request.id, error } : others(request);
    const text = await hoverText(`0x${'00'.repeat(19)}98`, 3);
    assert.match(text, /Balance unknown · not indexed on this network/);
    assert.doesNotMatch(text, /\b0 CNT/);
  });

  it('marks a wrong checksum alone, with the right one to copy', async () => {
    const text = await hoverText(WRONG, 5);
    assert.match(
      text,
      /\*\*Invalid EIP\\-55 checksum\*\* · a character .*\n\n`0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed` \[Copy\]/,
    );
    assert.match(text, /chainside\.copyAddress\?%5B%220x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed%22%5D/);
    for (const fine of [RIGHT, RIGHT.toLowerCase(), `0x${'0'.repeat(40)}`, `0x${'12'.repeat(20)}`]) {
      assert.doesNotMatch(await hoverText(fine, 5), /checksum/i, fine);
    }
  });

  it('names the zero address and precompiles, unless somebody else does', async () => {
    const zero = `0x${'0'.repeat(40)}`;
    assert.match(await hoverText(zero, 5), /^\*\*Zero address\*\* · Counted\n\nUsed for mints and burns/);
    assert.match(
      await hoverText(`0x${'0'.repeat(38)}0b`, 5),
      /^\*\*BLS12\\_G1ADD\*\* .*\n\n\[Precompile, EIP\\-2537\]\(https:/,
    );
    await commands.executeCommand('chainside.labelAddress', zero, 'Nobody');
    try {
      assert.match(
        await hoverText(zero, 5),
        /^\*\*Nobody\*\* · Counted\n\nYour label\n\nAlso\\: Zero address/,
      );
    } finally {
      await commands.executeCommand('chainside.labelAddress', zero, '');
    }
  });

  it('shows what a holder has of the watched tokens, asked of their contracts in one request', async () => {
    const token = `0x${'7e'.repeat(20)}`;
    const noToken = RIGHT.toLowerCase();
    const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;
    const symbol = `0x${'20'.padStart(64, '0')}${'3'.padStart(64, '0')}${Buffer.from('SEA').toString('hex').padEnd(64, '0')}`;
    const bySelector: Record<string, string> = {
      '0x70a08231': word(49_882_000_123_456n),
      '0x95d89b41': symbol,
      '0x313ce567': word(6n),
    };
    answer = (request) => {
      if (request.method !== 'eth_call')
        return answers({ eth_blockNumber: '0x10', eth_getBalance: '0x0' })(request);
      const { to, data } = request.params[0] as { to: string; data: string };
      const result = to === token ? bySelector[data.slice(0, 10)] : to === noToken ? '0x' : data;
      return { jsonrpc: '2.0', id: request.id, result };
    };
    await commands.executeCommand('chainside.watchToken', token);
    using person = stubDialogs();
    try {
      requests = [];
      const text = await hoverText(RIGHT.toLowerCase(), 5);
      assert.match(text, /\n49\\\.88M SEA\n/);
      const toToken = requests.filter(
        ({ params }) => (params[0] as { to?: string } | undefined)?.to === token,
      );
      assert.equal(toToken.length, 1);
      assert.match(await hoverText(token, 5), /^\*\*SEA\*\* `ERC-20, 6 decimals` · Counted\n/);
      assert.match(await hoverText(token, 5), /\[Stop Watching Token\]/);
      assert.deepEqual(person.told, []);
      person.types = [RIGHT];
      await commands.executeCommand('chainside.watchToken');
      assert.match(person.prompts.join(), /^ERC-20 contract\. Chainside shows its balance for every address/);
      assert.deepEqual(person.told, [`${RIGHT} is not an ERC-20 token on Counted.`]);
    } finally {
      await commands.executeCommand('chainside.unwatchToken', token);
    }
    assert.doesNotMatch(await hoverText(RIGHT.toLowerCase(), 5), /SEA/);
  });

  it('neither lists nor counts spam, and adds up NFTs', () => {
    const held = (symbol: string, more: object = {}) =>
      ({
        ...{ contract: `0x${'7e'.repeat(20)}`, native: false, standard: 'erc20', symbol, decimals: 0 },
        ...{ amount: 5n, spam: false, absurdPrice: false, ...more },
      }) as unknown as TokenBalance;
    const tokens = [
      held('DUST', { category: 'dust', value: 0.05 }),
      held('SEA', { value: 7 }),
      held('FREE AIRDROP', { spam: true, value: 1e9 }),
      held('POSTER', { standard: 'erc721', amount: 3n }),
      held('SPAM POSTER', { standard: 'erc721', amount: 99n, spam: true }),
      held('GONE', { amount: 0n }),
    ];
    const balances = { tokens } as unknown as TokenBalances;
    assert.equal(formatHoldingsLine([], balances), '5 SEA, 5 DUST, 3 NFTs');
    const many = { tokens: Array.from({ length: 9 }, (_, at) => held(`T${at}`, { value: 9 - at })) };
    assert.equal(formatHoldingsLine([], many as unknown as TokenBalances), '5 T0, 5 T1, 5 T2, 5 T3, 5 more');
    const again = [held('SEA'), held('SEA', { contract: `0x${'7f'.repeat(20)}` }), held('DUST')];
    const line = /^5 DUST, 5 SEA \(0x7e7e…7e7e\), 5 SEA \(0x7f7f…7f7f\)$/i;
    assert.match(formatHoldingsLine([], { tokens: again } as unknown as TokenBalances), line);
    const unknown = [held('SEA', { amount: undefined }), held('DUST', { amount: undefined })];
    const unknownLine = formatHoldingsLine([], { tokens: unknown } as unknown as TokenBalances);
    assert.equal(unknownLine, 'DUST: amount unknown, SEA: amount unknown');
    assert.equal(formatHoldingsLine([], { tokens: [] } as unknown as TokenBalances), '');
  });

  it('writes millions of money as those of tokens', () => {
    const cases = [
      [999_999.5, 'USD', '$999,999.50'],
      [25_000_000, 'USD', '$25M'],
      [1_259_999_999.9, 'EUR', '€1.25B'],
      [25_310_000, 'none', '25310000 none'],
    ] as const;
    for (const [value, currency, text] of cases) assert.equal(formatShortValue(value, currency), text);
  });

  it('offers after Watch what ends it', async () => {
    assert.match(await hoverText(RIGHT, 5), /\[Watch\]\(command:chainside\.watchAddress/);
    await commands.executeCommand('chainside.watchAddress', RIGHT);
    assert.match(await hoverText(RIGHT, 5), /\[Stop Watching\]\(command:chainside\.unwatchAddress/);
    await commands.executeCommand('chainside.unwatchAddress', RIGHT);
    assert.match(await hoverText(RIGHT, 5), /\[Watch\]\(command:chainside\.watchAddress/);
  });

  it('is not on a part of a hash, nor beside an address', async () => {
    assert.match(await hoverText(`0x${'ab'.repeat(32)}`, 20), /^\$\(search\) \[Look Up Transaction on[^[]*$/);
    assert.equal(await hoverText(`x = ${RIGHT};`, 1), '');
    assert.notEqual(await hoverText(RIGHT, 0), '');
    assert.notEqual(await hoverText(RIGHT, 41), '');
  });

  it('asks once for many who look at the same address', async () => {
    answer = answers({ eth_blockNumber: '0x10', eth_getBalance: '0x1', ...NO_CONTRACT });
    const document = await openText(`${RIGHT} ${RIGHT}`);
    const texts = await Promise.all([3, 50, 60, 4].map((character) => loadedHover(document, character)));
    for (const text of texts) assert.match(textOf(text), /<0\\?\.000001 CNT/);
    const asked = requests.map(({ method }) => method);
    const times = (wanted: string) => asked.filter((method) => method === wanted).length;
    // The views look for new blocks and for who answers besides.
    assert.equal(times('eth_getBalance'), 1);
    assert.ok(times('eth_getCode') <= 1);
  });

  it('says what is wrong when the endpoint fails, and works again when it does', async () => {
    const address = `0x${'c1'.repeat(20)}`;
    answer = () => '<html>down</html>';
    assert.match(await hoverText(address, 5), /the response is not JSON\\-RPC/);
    answer = answers({ eth_blockNumber: '0x11', eth_getBalance: '0x0', ...NO_CONTRACT });
    assert.match(await hoverText(address, 5), /\b0 CNT/);
  });

  it('is shown with what has come when the endpoint takes too long', async () => {
    answer = () => undefined;
    const document = await openText(`0x${'c2'.repeat(20)}`);
    assert.match(textOf(await hover(document, 5)), /still loading/);
  });

  it('is off by setting', async () => {
    await writeSettings({ 'chainside.hover.enabled': false });
    try {
      assert.equal(await hoverText(RIGHT, 5), '');
    } finally {
      await writeSettings({ 'chainside.hover.enabled': undefined });
    }
  });

  it('says what helps where what it needs cannot be loaded, and tries again', async () => {
    await writeSettings({ 'chainside.hover.enabled': false });
    let loads = 0;
    const words = lazyPart<AddressHoverContent>(async () => {
      loads++;
      throw new Error(`Cannot find module '/old/version/addresses.cjs'`);
    });
    const settings = { isEnabled: () => true } as unknown as SettingsService;
    const registered = registerAddressHover({ settings, content: words });
    try {
      const told = await hoverText(RIGHT, 5);
      assert.match(told, /^Chainside could not load one of its files\\\. Reload the window[^/]*$/);
      const before = loads;
      await hoverText(RIGHT, 5);
      assert.ok(loads > before);
    } finally {
      registered.dispose();
      await writeSettings({ 'chainside.hover.enabled': undefined });
    }
  });
});
