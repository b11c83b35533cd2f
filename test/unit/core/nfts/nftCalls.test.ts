import assert from 'node:assert/strict';
import { AbiParameters, Hex } from 'ox';
import { createRequestThrottle, providers, systemClock } from '../../../../src/core/index.ts';
import { answerEach, createRpcFetch, type RpcRequest } from '../../../support/loopbackServer.ts';

const CONTRACT = '0xc0de721000000000000000000000000000000721';
const OWNER = '0x7e57000000000000000000000000000000000001';
const IDENTITY = '0x0000000000000000000000000000000000000004';
const SUPPORTS = { erc721: '0x01ffc9a780ac58cd', erc1155: '0x01ffc9a7d9b67a26' };
const TOKEN_URI = '0xc87b56dd';
const OWNER_OF = '0x6352211e';
const URI = '0x0e89341c';

const text = (value: string) => AbiParameters.encode(AbiParameters.from('string'), [value]);
const word = (value: bigint | string) =>
  Hex.padLeft(typeof value === 'string' ? (value as Hex.Hex) : Hex.fromNumber(value), 32);
const base64 = (value: string) => Buffer.from(value).toString('base64');
const json = { name: 'Poster #7', image: 'data:image/svg+xml,%3Csvg/%3E' };

/** What the contract answers by the beginning of the data of a call; it reverts any other. */
type Contract = Readonly<Record<string, string>>;

const single = (uri: string | undefined, owner: string | undefined = OWNER): Contract => ({
  [SUPPORTS.erc721]: word(1n),
  ...(uri === undefined ? {} : { [TOKEN_URI]: text(uri) }),
  ...(owner === undefined ? {} : { [OWNER_OF]: word(owner) }),
});
const multi = (uri: string): Contract => ({ [SUPPORTS.erc1155]: word(1n), [URI]: text(uri) });

/** Reads tokens of an endpoint behind which the contract is; `sizes` has the calls of each request. */
function open(contract: Contract, { takesBatches = true, hasCalls = true } = {}) {
  const sizes: number[] = [];
  const answer = ({ id, params }: RpcRequest) => {
    if (!hasCalls) return { jsonrpc: '2.0', id, error: { code: -32601, message: 'no such method' } };
    const { to, data } = params[0] as { to: string; data: string };
    const result =
      to === IDENTITY ? data : Object.entries(contract).find(([start]) => data.startsWith(start))?.[1];
    const error = { code: 3, message: 'execution reverted' };
    return { jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) };
  };
  const fetch = createRpcFetch((request) => {
    const size = Array.isArray(request) ? request.length : 1;
    sizes.push(size);
    const refusal = { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no batches' } };
    return size > 1 && !takesBatches ? refusal : answerEach(answer)(request);
  });
  const kind = providers.find(({ name, offers }) => name === 'calls' && offers.nfts !== undefined);
  const opened = kind?.open({
    ...{ fetch, clock: systemClock, url: 'http://127.0.0.1:1', chainId: 5 },
    ...{ key: undefined, revoked: new AbortController().signal },
    throttle: createRequestThrottle({ clock: systemClock, count: 100, windowMs: 1 }),
  });
  const token = async (tokenId = 7n) => (await opened)?.nfts?.nftToken(CONTRACT, tokenId);
  return { token, sizes };
}

const read = (contract: Contract, tokenId?: bigint) => open(contract).token(tokenId);

describe('NFT read from its contract', () => {
  it('has owner, name and picture out of a URI on chain, however that is written', async () => {
    const written = JSON.stringify(json);
    for (const uri of [
      `data:application/json;base64,${base64(written)}`,
      `data:application/json;charset=utf-8;base64,${base64(written)}`,
      `data:application/json,${encodeURIComponent(written)}`,
      `data:application/json;utf8,${written}`,
      `data:application/json;utf8,${JSON.stringify({ ...json, description: '100% #1' })}`,
      `data:text/plain,${written}`,
    ]) {
      const token = await read(single(uri));
      assert.equal(token?.owner, OWNER, uri);
      assert.equal(token.metadata?.name, 'Poster #7', uri);
      assert.deepEqual(token.metadata.image?.kind, 'data', uri);
      assert.equal(token.noMetadataReason, undefined);
    }
  });

  it('takes one request where the server takes batches, and is the same where it does not', async () => {
    const uri = `data:application/json,${encodeURIComponent(JSON.stringify(json))}`;
    const { token, sizes } = open(single(uri));
    const inOne = await token();
    assert.deepEqual(sizes, [9]);
    assert.deepEqual(await open(single(uri), { takesBatches: false }).token(), inOne);
  });

  it('names the file with the metadata, and asks nobody for it', async () => {
    const token = await read(single('ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/7'));
    assert.equal(token?.tokenUrl?.kind, 'ipfs');
    assert.deepEqual([token.metadata, token.noMetadataReason], [undefined, undefined]);
  });

  it('puts the id of ERC-1155 in its place, as 64 hex digits', async () => {
    const token = await read(multi('https://meta.example.com/{id}.json'), 0xabn);
    const url = `https://meta.example.com/${'ab'.padStart(64, '0')}.json`;
    assert.deepEqual(token?.tokenUrl, { kind: 'https', url });
    assert.equal(token.owner, undefined);
    const drawn = JSON.stringify({ image: 'https://img.example.com/{id}.png' });
    const image = (await read(multi(`data:application/json,${drawn}`), 1n))?.metadata?.image;
    assert.deepEqual(image, {
      kind: 'https',
      url: `https://img.example.com/${'1'.padStart(64, '0')}.png`,
    });
  });

  it('says why there is no metadata', async () => {
    const why = async (contract: Contract) => (await read(contract))?.noMetadataReason;
    assert.equal(await why(single(undefined)), 'noUri');
    assert.equal(await why(single('')), 'noUri');
    for (const uri of ['http://meta.example.com/7', 'https://10.0.0.1/7']) {
      assert.equal(await why(single(uri)), 'uriRefused', uri);
    }
    assert.equal(await why(single(`data:application/json,${'9'.repeat(1024 * 1024)}`)), 'uriRefused');
    for (const body of ['no json', '7', '['.repeat(500_000), `[${'0,'.repeat(40_000)}0]`]) {
      assert.equal(await why(single(`data:application/json,${body}`)), 'notMetadata', body.slice(0, 20));
    }
    assert.equal(await why(single('data:application/json;base64,***')), 'notMetadata');
    assert.equal(await why({ ...single(undefined), [TOKEN_URI]: `0x${'f'.repeat(128)}` }), 'uriRefused');
  });

  it('says that a URI is not https, and of no other', async () => {
    const isPlainHttp = async (uri: string) => (await read(single(uri)))?.isPlainHttp;
    assert.equal(await isPlainHttp('http://api.example.com/1'), true);
    assert.equal(await isPlainHttp(' HTTP://api.example.com/1'), true);
    assert.equal(await isPlainHttp('ftp://api.example.com/1'), undefined);
    assert.equal(await isPlainHttp('https://api.example.com/1'), undefined);
  });

  it('is metadata that stands in the place of its URI', async () => {
    for (const uri of ['{"name":"One"}', ' { "name": "One", "description": "100 % of it" }']) {
      const token = await read(single(uri));
      assert.deepEqual([token?.metadata?.name, token?.noMetadataReason], ['One', undefined], uri);
    }
    assert.equal((await read(single('{"name":')))?.noMetadataReason, 'notMetadata');
    assert.equal((await read(single('{name}')))?.noMetadataReason, 'uriRefused');
  });

  it('may lie on this machine where the network does', async () => {
    const token = await read(single('http://localhost:3000/7.json'));
    assert.deepEqual(token?.tokenUrl, { kind: 'local', url: 'http://localhost:3000/7.json' });
  });

  it('is none where the contract knows no such token, or is no NFT contract', async () => {
    assert.equal(await read({ [SUPPORTS.erc721]: word(1n) }), undefined);
    assert.equal(await read({ [OWNER_OF]: word(OWNER), [TOKEN_URI]: text('') }), undefined);
  });

  it('has no owner where that is the zero address or no address', async () => {
    for (const owner of ['0x00', `0x${'f'.repeat(64)}`]) {
      assert.equal((await read(single('', owner)))?.owner, undefined);
    }
  });

  it('cannot be read without eth_call', () =>
    assert.rejects(open({}, { hasCalls: false }).token(), { kind: 'notServed' }));
});
