/** What the program in the extension host has measured. Times in milliseconds. */
export interface HostMeasures extends ActivationMeasures {
  readonly hover: HoverTimes;
  readonly firstUse: Readonly<Record<Surface, UseTimes>>;
  readonly inSource: InSourceTimes;
  readonly places: PlacesTimes;
}

export interface ActivationMeasures {
  readonly activation: ActivationTimes;
  /** Of an extension that VS Code comes with, in the same host. */
  readonly peer: ActivationTimes;
}

/** The search for addresses in OpenZeppelin's contracts; each list has one time a round. */
export interface PlacesTimes {
  readonly search: readonly number[];
  /** The same files read and looked through by Node alone. */
  readonly floor: readonly number[];
  /** 99th percentile of what all else waited meanwhile. */
  readonly delay: readonly number[];
}

/** What stands in a source of 10,000 lines; each list has one time a round. */
export interface InSourceTimes
  extends Readonly<Record<'lens' | 'hover' | 'completion' | 'inlay', BesideTimes>> {
  /** The longest that all else waited while lenses were made of a text that had just changed. */
  readonly typing: readonly number[];
}

interface BesideTimes {
  readonly long: readonly number[];
  /** What VS Code takes: the same command in an empty file, or with as many lenses of a provider that does no work. */
  readonly beside: readonly number[];
}

/** What a person or another extension uses, in the order in which each is used first. */
export const surfaces = ['command', 'request', 'lens', 'hover', 'tree', 'logs', 'nfts'] as const;
export type Surface = (typeof surfaces)[number];

export interface UseTimes {
  readonly first: number;
  /** What loading files of the extension took in {@link first}. */
  readonly loading: number;
  readonly later: readonly number[];
}

export interface ActivationTimes {
  /** Reading, compiling and running the bundle. */
  readonly load: number;
  /** Its `activate()`, until what it returns has settled. */
  readonly activate: number;
}

/** Each list has one time a round. */
export interface HoverTimes {
  /** Command with an address whose balance has not been asked for. */
  readonly uncached: readonly number[];
  /** The same again. */
  readonly cached: readonly number[];
  /** The same command beside an address: what VS Code takes for itself. */
  readonly beside: readonly number[];
  /** `eth_getBalance` by the editor's own fetch: the round trip. */
  readonly roundTrip: readonly number[];
}
