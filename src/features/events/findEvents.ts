import {
  type EventSignature,
  isAppError,
  linkLoading,
  parseEventSignature,
  type SourceFacts,
  type SourceFiles,
  type SourceItem,
  type TimeSlices,
} from '../../core/index.ts';

/** An event that a source declares, and where. */
export interface DeclaredEvent extends EventSignature {
  readonly name: string;
  /** With its types as the ABI has them: `event Paid(address indexed by, (address token, uint256 amount) price)`. */
  readonly declaration: string;
  /** Index of its declaration in the source. */
  readonly offset: number;
}

interface FindOptions {
  /** What a file declares; undefined where there is none. */
  readonly read: (path: string) => Promise<SourceFacts | undefined>;
  readonly resolve: SourceFiles['resolve'];
  readonly slices: TimeSlices;
  readonly signal?: AbortSignal;
}

/**
 * The events that a source declares and whose logs can be asked for by topic0, in their order: not the anonymous ones,
 * and none with a type that is not found. In slices, so that all else goes on. Rejects when `signal` aborts.
 */
export async function findEvents(path: string, options: FindOptions): Promise<readonly DeclaredEvent[]> {
  const { slices, signal } = options;
  const facts = await options.read(path);
  if (!facts) return [];
  const declared = [undefined, ...facts.contracts].flatMap((contract) =>
    (contract ?? facts).items
      .filter(({ kind, anonymous }) => kind === 'event' && !anonymous)
      .map((item) => ({ item, at: { path, contract } })),
  );
  declared.sort((a, b) => a.item.offset - b.item.offset);
  return linkLoading(async (linker) => {
    const events: DeclaredEvent[] = [];
    for (const { item, at } of declared) {
      const event = readEvent(item, linker.textOf(item, at));
      if (event) events.push(event);
      if (slices.isOver()) await slices.rest({ signal });
    }
    return events;
  }, options);
}

function readEvent({ name, offset }: SourceItem, declaration: string | undefined): DeclaredEvent | undefined {
  if (declaration === undefined) return undefined;
  try {
    return { ...parseEventSignature(declaration), name, declaration, offset };
  } catch (error) {
    if (isAppError(error, 'badInput')) return undefined;
    throw error;
  }
}
