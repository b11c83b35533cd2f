import { run } from '../../scripts/support/childProcess.ts';
import type { Hex } from '../../src/core/index.ts';
import { loadAll, openQuery } from '../support/chainside.ts';
import { type InstalledPeers, versions } from './install.ts';
import { type Question, TRANSFER, topicsOf } from './question.ts';
import type { GivenLog } from './score.ts';

export interface Client {
  readonly name: string;
  /** Asks anew, without anything learnt before. */
  ask(url: string, question: Question): Promise<Answer>;
}

export interface Answer {
  readonly logs: readonly GivenLog[];
  /** What the client says about the answer being whole, if it says anything. */
  readonly verdict?: string;
}

// What is used of each package, since their types are not there when this is checked.
interface Viem {
  http(url: string): unknown;
  createPublicClient(options: { transport: unknown }): {
    getLogs(filter: Record<string, unknown>): Promise<readonly GivenLog[]>;
  };
  parseAbiItem(signature: string): unknown;
}
type EthersLog = Omit<GivenLog, 'logIndex'> & { readonly index: number };
interface Ethers {
  JsonRpcProvider: new (
    url: string,
    network: number,
    options: { staticNetwork: boolean },
  ) => { getLogs(filter: Record<string, unknown>): Promise<readonly EthersLog[]>; destroy(): void };
}
interface Web3 {
  Web3: new (
    url: string,
  ) => { eth: { getPastLogs(filter: Record<string, unknown>): Promise<readonly GivenLog[]> } };
}

const EVENT = 'event Transfer(address indexed from, address indexed to, uint256 value)';
const WHOLE_CHAIN = { fromBlock: 'earliest', toBlock: 'latest' };

/** Chainside and its peers. */
export function createClients({ load, cast }: InstalledPeers, chainId: number): readonly Client[] {
  return [
    chainside,
    viemClient(load('viem') as Viem),
    ethersClient(load('ethers') as Ethers, chainId),
    web3Client(load('web3') as Web3),
    castClient(cast),
  ];
}

const chainside: Client = {
  name: 'Chainside',
  async ask(url, question) {
    const logs: GivenLog[] = [];
    const query = openQuery(url, { address: question.address, topics: topicsOf(question) });
    const { state } = await loadAll(query, (page) => logs.push(...page));
    return { logs, verdict: state };
  },
};

function viemClient(viem: Viem): Client {
  return {
    name: `viem ${versions.viem}`,
    async ask(url, { address, to }) {
      const client = viem.createPublicClient({ transport: viem.http(url) });
      const event = viem.parseAbiItem(EVENT);
      return { logs: await client.getLogs({ address, event, ...(to && { args: { to } }), ...WHOLE_CHAIN }) };
    },
  };
}

function ethersClient(ethers: Ethers, chainId: number): Client {
  return {
    name: `ethers ${versions.ethers}`,
    async ask(url, question) {
      // The network is given, or the provider would look for it for ever on servers without eth_chainId.
      const provider = new ethers.JsonRpcProvider(url, chainId, { staticNetwork: true });
      try {
        const { address } = question;
        const logs = await provider.getLogs({ address, topics: topicsOf(question), ...WHOLE_CHAIN });
        return { logs: logs.map(toGivenLog) };
      } finally {
        provider.destroy();
      }
    },
  };
}

function toGivenLog({ address, blockNumber, data, index, topics, transactionHash }: EthersLog): GivenLog {
  return { address, blockNumber, data, logIndex: index, topics, transactionHash };
}

function web3Client({ Web3: Web3Client }: Web3): Client {
  return {
    name: `web3 ${versions.web3}`,
    async ask(url, question) {
      const { address } = question;
      const { eth } = new Web3Client(url);
      return { logs: await eth.getPastLogs({ address, topics: topicsOf(question), ...WHOLE_CHAIN }) };
    },
  };
}

function castClient(program: string): Client {
  return {
    name: `cast ${versions.cast}`,
    async ask(url, question) {
      const [, ...others] = topicsOf(question);
      const topics = [TRANSFER, ...others.map((topic: Hex | null) => topic ?? '')];
      const range = ['--from-block', 'earliest', '--to-block', 'latest'];
      const args = ['logs', '--rpc-url', url, '--json', ...range, '--address', question.address, ...topics];
      return { logs: JSON.parse(await run(program, args)) };
    },
  };
}
