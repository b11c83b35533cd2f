import {
  type ChainClient,
  type ContractIndex,
  createBlockDays,
  createGroupDecoder,
  createLogGroups,
  createTimeSlices,
  findQueriedEvents,
  type Grouping,
  groupToJson,
  type Log,
  type LogDecoder,
  type LogFilter,
  type LogGroups,
  type LogsInBlocks,
  needsDecoding,
  systemClock,
  validateGrouping,
} from '../core/index.ts';
import type { CliContext } from './context.ts';
import type { LogDecoding } from './logDecoding.ts';

/** The groups of the logs of a query. */
export interface PrintedGroups {
  /** @throws AppError `badInput` if there are too many groups. */
  add(logs: readonly Log[]): Promise<void>;
  /** @throws AppError `badInput` if no log has a parameter of the grouping. */
  print(): Promise<void>;
  /** For the verdict. */
  toJson(): { readonly groups: string; readonly ungrouped: string };
  /** Why logs are in no group. */
  describe(): readonly string[];
}

export type OpenDecoding = () => Promise<{
  readonly decoding: LogDecoding;
  /** Of the projects of `--decode`; undefined without them. */
  readonly index: ContractIndex | undefined;
  readonly chainId: number;
}>;

interface LogGroupsOptions extends Pick<CliContext, 'output' | 'signal'> {
  readonly client: Pick<ChainClient, 'fetchBlockTimes'>;
  readonly grouping: Grouping;
  readonly filter: LogFilter;
  /** As the query has it. */
  readonly event: string;
  readonly openDecoding: OpenDecoding;
  /** Whether providers may have more ABIs than are known. */
  readonly hasProviders: boolean;
}

/**
 * Opens groups of logs.
 *
 * @throws AppError `badInput` if no event of the query has a parameter of the grouping.
 */
export async function openLogGroups(options: LogGroupsOptions): Promise<PrintedGroups> {
  const { grouping, output } = options;
  const { decoder, prepare } = needsDecoding(grouping) ? await openGroupDecoder(options) : NO_DECODING;
  const days = grouping.by.some(({ kind }) => kind === 'day') ? openBlockDays(options) : undefined;
  const groups = createLogGroups(grouping, { decoder, dayOf: days?.dayOf });
  const slices = createTimeSlices(systemClock);
  return {
    async add(logs) {
      await Promise.all([prepare(logs), days?.prepare(logs)]);
      groups.add(logs);
    },
    async print() {
      const ranked = await groups.rank({ slices });
      for (let from = 0; from < ranked.length; from += GROUPS_AT_ONCE) {
        const some = ranked.slice(from, from + GROUPS_AT_ONCE);
        await output.printLines(some.map((group) => groupToJson(group, grouping, groups.sumType)));
      }
    },
    toJson: () => ({ groups: String(groups.size), ungrouped: String(groups.ungrouped) }),
    describe: () => describeUngrouped(groups, grouping),
  };
}

const GROUPS_AT_ONCE = 1000;

const NO_DECODING: { readonly decoder: LogDecoder; readonly prepare: LogDecoding['prepare'] } = {
  decoder: { decode: () => ({ reason: { code: 'noTopics' } }) },
  prepare: async () => undefined,
};

/** Decodes by the declaration of the query, if it names parameters, then by what is known. */
async function openGroupDecoder({ grouping, filter, event, openDecoding, hasProviders }: LogGroupsOptions) {
  const { decoding, chainId } = await openDecoding();
  const { lookup } = decoding;
  // A provider may know an event by other names.
  if (!hasProviders) validateGrouping(grouping, findQueriedEvents({ event, filter, lookup, chainId }));
  return { decoder: createGroupDecoder(event, decoding), prepare: decoding.prepare };
}

function openBlockDays({ client, filter, output, signal }: LogGroupsOptions) {
  const logs = toLogsInBlocks(filter);
  return createBlockDays(async (blocks) => {
    const times = await client.fetchBlockTimes(blocks, { signal, logs });
    if (!times) output.printMessage('The endpoint does not report block times, so their day is unknown.');
    return times;
  });
}

/** What all rows have in common; an explorer needs it to find their blocks. */
export function toLogsInBlocks({ addresses, topics: [first] }: LogFilter): LogsInBlocks {
  return {
    ...(addresses.length === 1 && { address: addresses[0] }),
    ...(first?.length === 1 && { topic0: first[0] }),
  };
}

function describeUngrouped(
  { ungrouped: count, hasDecoded }: LogGroups,
  grouping: Grouping,
): readonly string[] {
  if (count === 0) return [];
  const { by, sum } = grouping;
  // Each log has an address and a block.
  const fields = by.filter(({ kind }) => kind !== 'address' && kind !== 'block').map(({ name }) => name);
  const names = [...new Set([...fields, ...(sum === undefined ? [] : [sum])])].join(' or ');
  const [logs, are, their] = count === 1 ? ['log', 'is', 'its'] : ['logs', 'are', 'their'];
  return [
    `${count} ${logs} ${are} in no group, since ${their} ${names} is missing or uncertain.`,
    ...(!hasDecoded && needsDecoding(grouping)
      ? ['No log was decoded. Declare the event in the query, or set --decode DIR or --sources LIST.']
      : []),
  ];
}
