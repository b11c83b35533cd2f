/** How one kind of node or provider answers `eth_getLogs`. Data and small functions only. */
export type NodeProfile = {
  /** What `web3_clientVersion` says; undefined where the provider does not offer it. */
  readonly clientVersion: string | undefined;
  /** Where it listens. Providers put a key into the path. */
  readonly path: string;
  readonly methodNotFound: NodeRefusal;
  /** What a filter with a key unknown to nodes, such as `paging_options`, gets. */
  readonly unknownField: 'ignored' | NodeRefusal;
  /** Whether a null at the end of `topics` stands for one more topic, whichever it is, or for none as well. */
  readonly trailingNull: 'anyTopic' | 'anyOrNone';
  /** What a `toBlock` above the head gets. */
  readonly beyondHead: 'cutOff' | NodeRefusal;
  readonly reversedRange: 'empty' | NodeRefusal;
  /** Whether log entries carry the time of their block. */
  readonly blockTimestamp: boolean;
  /** Whether `eth_getBlockByNumber` is let through. Default true. */
  readonly headers?: false;
  readonly limits: NodeLimits;
  /** Refusal of a range with more than `limits.maxDistance` from its first to its last block. */
  readonly tooWide?: (overrun: Overrun) => NodeRefusal;
  /** Refusal of an answer with more than `limits.maxLogs` logs. */
  readonly tooMany?: (overrun: Overrun) => NodeRefusal;
  /** A single block is answered whatever it holds. */
  readonly oneBlockUnlimited?: true;
};

export type NodeLimits = {
  /** Largest distance from the first to the last block of a range. */
  readonly maxDistance?: number;
  readonly maxLogs?: number;
};

/** What went over a limit. */
export type Overrun = {
  readonly limit: number;
  readonly from: number;
  readonly to: number;
  /** Last block up to which the logs fit, `from - 1` if not even those of the first do. */
  readonly fitsTo: number;
};

/** A JSON-RPC error, with the HTTP status under which it comes. */
export type NodeRefusal = {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
  /** Default 200. */
  readonly status?: number;
};

export class RefusedByNode extends Error {
  readonly refusal: NodeRefusal;

  constructor(refusal: NodeRefusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}
