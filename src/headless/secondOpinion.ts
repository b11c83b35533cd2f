import {
  type ChainClient,
  compareClients,
  createLoadedClient,
  formatOpinionReason,
  getLoadedBlocks,
  type LogFilter,
  type LogStore,
  opinionToJson,
  safeUrl,
  type Verdict,
} from '../core/index.ts';
import { say } from './line/output.ts';

/** Another endpoint of the same chain. */
export interface Second {
  readonly client: ChainClient;
  /** Windows that are compared; undefined for all blocks. */
  readonly sample: number | undefined;
  /** Both endpoints are of this machine, whose chain nobody reorganises. */
  readonly isOfThisMachine: boolean;
}

interface Printed {
  readonly client: ChainClient;
  readonly filter: LogFilter;
  readonly verdict: Verdict;
  readonly rows: LogStore;
  readonly signal: AbortSignal;
}

const SAMPLE_BLOCKS = 1000n;
const SEED = 1;

/**
 * Compares what was printed with what another endpoint gives.
 *
 * @returns the opinion as JSON, and what it says against the verdict.
 * @throws AppError `aborted`.
 */
export async function askSecond(
  { client: second, sample, isOfThisMachine }: Second,
  { client, filter, verdict, rows, signal }: Printed,
) {
  const opinion = await compareClients(createLoadedClient(client, rows, verdict), second, {
    ...{ filter, range: getLoadedBlocks(verdict), signal },
    sample: sample === undefined ? undefined : { windows: sample, blocks: SAMPLE_BLOCKS, seed: SEED },
    unsettled: isOfThisMachine ? 0n : undefined,
  });
  const { state, alike, onlyHere, onlyThere, different, fromBlock, toBlock, reasons } = opinion;
  const counts = `${alike} logs alike, ${onlyHere} only here, ${onlyThere} only there, ${different} different`;
  const where = toBlock < fromBlock ? '' : `, blocks ${fromBlock} to ${toBlock}`;
  say(`second opinion${where}: ${state} (${counts})`);
  for (const reason of reasons) say(`- ${formatOpinionReason(reason)}`);
  return {
    json: opinionToJson(opinion, safeUrl(second.url)),
    doubt:
      state === 'differ'
        ? `the other endpoint gives other logs (${counts}): neither is known to be right`
        : undefined,
  };
}
