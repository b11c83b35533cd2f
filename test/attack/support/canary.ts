import { text } from 'node:stream/consumers';
import { encodeAbiParameters, encodeErrorResult, keccak256, parseAbi, toHex } from 'viem';
import type { Localnet } from '../../../localnet/start.ts';
import { type LoopbackServer, startLoopbackServer } from '../../support/loopbackServer.ts';

/** What a text may do: a command, an icon, HTML, a picture, characters that hide or turn others. Most in the first 64. */
export const CANARY =
  'canary\u202e[a](command:trap)$(squirrel)<trap>\u001b[2J\u200b`d` ![e](//trap.example.test/f)\u0007\r\n**g**';
/** The same for a name of a file, which has no path in it. */
export const FILE_CANARY = CANARY.replaceAll('/', '').replaceAll('\r\n', '').slice(0, 64);
/** A contract whose logs have the canary as their argument, and whose functions return it. */
export const SPEAKER = `0x${'5b'.repeat(20)}`;
/** The same as a deployment of a contract of the project. */
const LENS = `0x${'5c'.repeat(20)}`;
export const SAID = 'Said(string words)';

const TEXT = encodeAbiParameters([{ type: 'string' }], [CANARY]);
export const FAILURE = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: [CANARY] });
const SAID_TOPIC = keccak256(toHex('Said(string)'));
const NUMBER = encodeAbiParameters([{ type: 'uint256' }], [6n]);
/** By the selectors of `name`, `symbol`, `decimals`, `totalSupply` and `balanceOf`; all other calls are refused. */
const RESULTS: Readonly<Record<string, string>> = {
  '0x06fdde03': TEXT,
  '0x95d89b41': TEXT,
  '0x313ce567': NUMBER,
  '0x18160ddd': NUMBER,
  '0x70a08231': NUMBER,
};

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Fields whose value decides how the rest is read. */
const KINDS =
  /^(?:jsonrpc|type|types|token_type|supports_erc|status|result|method|next_page_.*|.*_type|.*[hH]ash)$/;

/** The answer of an honest server in which every word is the canary. */
function spoil(value: Json, name = ''): Json {
  if (typeof value === 'string') return spoilText(value, name);
  if (Array.isArray(value)) return value.map((item) => spoil(item, name));
  if (typeof value !== 'object' || value === null) return value;
  if ('topics' in value && 'data' in value && name !== 'items') {
    return { ...(value as object), address: SPEAKER, topics: [SAID_TOPIC], data: TEXT } as Json;
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, spoil(item, key)]));
}

function spoilText(value: string, name: string): string {
  // An ABI-encoded text: its offset, its length, its characters.
  if (/^0x0{62}20(?:0{62}[0-9a-f]{2})(?:[2-7][0-9a-f]){1,60}0+$/i.test(value)) return TEXT;
  if (/^0x|^[\d.,:TZ+-]*$/i.test(value) || (KINDS.test(name) && /^[\w-]+$/.test(value))) return value;
  return CANARY;
}

/** A server that asks `localnet` and answers with the canary: `/node`, the explorer's own paths, `/v1` of a data API. */
export async function startCanaryServer({ anvilUrl, rpcUrl, dataApi }: Localnet): Promise<LoopbackServer> {
  const server = await startLoopbackServer(async (incoming, response) => {
    const sent = await text(incoming);
    const url = incoming.url ?? '/';
    const [target, path] = url.startsWith('/node')
      ? [anvilUrl, '/']
      : [url.startsWith('/v1/') ? dataApi.url : new URL(rpcUrl).origin, url];
    const headers = {
      'content-type': 'application/json',
      authorization: incoming.headers.authorization ?? '',
    };
    const init = sent === '' ? { headers } : { headers, method: 'POST', body: askOf(sent) };
    const answer = await fetch(new URL(path, target), init);
    const body = (await answer.json().catch(() => ({}))) as Json;
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(sent === '' ? spoil(body) : answerCalls(JSON.parse(sent), body)));
  });
  return server;

  function answerCalls(calls: Json, body: Json): Json {
    if (Array.isArray(calls)) {
      return calls.map((call, at) => answerCalls(call, (body as readonly Json[])[at] ?? null));
    }
    const { id = null, method = '', params = [] } = calls as { readonly [name: string]: Json };
    const error = (code: number, data?: string) => ({
      jsonrpc: '2.0',
      id,
      error: { code, message: CANARY, ...(data && { data }) },
    });
    const [call] = params as readonly { readonly to?: string; readonly data?: string }[];
    if (method === 'eth_call' && [SPEAKER, LENS].includes(call?.to?.toLowerCase() ?? '')) {
      const result = RESULTS[call?.data?.slice(0, 10) ?? ''];
      return result === undefined ? error(3, FAILURE) : { jsonrpc: '2.0', id, result };
    }
    const asked = JSON.stringify(params).toLowerCase();
    if (method === 'eth_getCode' && (asked.includes(SPEAKER) || asked.includes(LENS))) {
      return { jsonrpc: '2.0', id, result: '0x6001600101' };
    }
    // Holders are known from logs of transfers.
    if (method === 'eth_getLogs' && !asked.includes(SPEAKER)) return body;
    return spoil(body);
  }
}

/** Logs of the speaker are those of all others. */
function askOf(sent: string): string {
  if (!sent.toLowerCase().includes(SPEAKER)) return sent;
  return JSON.stringify(JSON.parse(sent), (name, value) =>
    name === 'topics' || (name === 'address' && JSON.stringify(value).toLowerCase().includes(SPEAKER))
      ? undefined
      : value,
  );
}

/** A project whose every name is the canary. `hash` is that of a transaction, `account` has a label. */
export function canaryFiles({ hash, account }: { readonly hash: string; readonly account: string }) {
  const query = {
    chainId: 31337,
    address: SPEAKER,
    event: SAID,
    fromBlock: 0,
    toBlock: 20,
    expect: { count: 1 },
  };
  const abi = [{ type: 'event', name: 'Said', inputs: [{ name: 'words', type: 'string' }] }];
  const created = { transactionType: 'CREATE', contractName: CANARY, contractAddress: SPEAKER };
  const receipt = { status: '0x1', blockNumber: '0x1', contractAddress: SPEAKER };
  return {
    'foundry.toml': `[profile.default]\nsrc = "src"\nout = "out"\n[rpc_endpoints]\n${JSON.stringify(CANARY)} = "http://127.0.0.1:1"\n[labels]\n"${account}" = ${JSON.stringify(CANARY)}\n`,
    '.chainside/labels.json': {
      labels: [
        { address: account, name: CANARY },
        { address: account, chainId: 31337, contract: CANARY },
        { address: LENS, chainId: 31337, contract: 'Lens' },
      ],
    },
    'src/Speaker.sol': SOURCE.replace('ACCOUNT', account)
      .replace('HASH', hash)
      .replace('FAILURE', FAILURE.slice(2)),
    [`src/${FILE_CANARY}.sol`]: 'contract Dup { event A(); }',
    // A name of an endpoint has no special character, but the path of its file has.
    [`${FILE_CANARY}/foundry.toml`]: '[rpc_endpoints]\nlocal = "http://127.0.0.1:1"\n',
    'src/Lens.sol': 'contract Lens { string public name; }',
    'src/Dup.sol': 'contract Dup { event A(); }',
    'out/Speaker.sol/Speaker.json': { abi, bytecode: { object: '0x6001600101' } },
    'deployments/localhost/.chainId': '31337',
    [`deployments/localhost/${FILE_CANARY}.json`]: { address: SPEAKER, abi },
    'deployments/localhost/Speaker.json': { address: SPEAKER, abi },
    'broadcast/Deploy.s.sol/31337/run-latest.json': {
      ...{
        transactions: [created],
        receipts: [receipt],
        chain: 31337,
        timestamp: 1_750_000_000,
        commit: CANARY,
      },
    },
    'said.chainlog.json': JSON.stringify({ title: CANARY, ...query }, undefined, 2),
    'wrong.chainlog.json': JSON.stringify({ ...query, event: CANARY }, undefined, 2),
    'page.chain.md': `# Page\n\n\`\`\`chainlog\n${JSON.stringify({ title: CANARY, ...query })}\n\`\`\`\n`,
    [`${FILE_CANARY}.chainlog.json`]: JSON.stringify(query),
  };
}

const SOURCE = `contract Speaker {
    event Said(string words);
    address constant LABELED = ACCOUNT;
    // The transaction HASH spoke.
    bytes constant REASON = hex"FAILURE";
    string public name;
    string public words;
    address constant SELF = ${SPEAKER};
}
`;
