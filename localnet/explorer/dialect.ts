import type { ExplorerIndex } from '../index/explorerIndex.ts';
import type { RestEra } from '../rest/restCall.ts';
import type { Refusal } from './failures.ts';
import type { LogRules } from './logQuery.ts';
import type { PlannerOrder } from './plannerOrder.ts';

/** How one server release speaks: its methods, its words, its HTTP. Data and small functions only. */
export type Dialect = {
  readonly name: string;
  readonly envelope: EnvelopeRules;
  readonly methods: Readonly<Record<string, Method>>;
  readonly http: HttpRules;
  /** How `/api?module=logs` finds rows, but for their order. */
  readonly moduleLogs: LogRules;
  readonly rest: RestEra;
};

export type Method = {
  readonly minParams: number;
  readonly maxParams: number;
  /** Forwarded methods are only known together with a params array. */
  readonly needsParams?: true;
  /** Throws Refused, InvalidParam or HttpFailure. */
  readonly run: (params: readonly unknown[], context: MethodContext) => unknown;
};

export type MethodContext = {
  readonly index: ExplorerIndex;
  /** The node behind the explorer. */
  readonly forward: (method: string, params: readonly unknown[]) => Promise<ForwardedAnswer>;
  readonly plannerOrder: PlannerOrder;
};

export type ForwardedAnswer =
  | { readonly result: unknown }
  | { readonly error: unknown }
  /** Name of the transport's failure, e.g. `timeout`. */
  | { readonly failed: string };

export type EnvelopeRules = {
  readonly refusals: Readonly<Record<Refusal, RefusalWords>>;
  /** Words for a parameter that a forwarded method's check refuses, and for a node that does not answer. */
  readonly invalidParam: (text: string) => RefusalWords;
  readonly forwardFailed: (reason: string) => RefusalWords;
  /** `raw`: any id is pasted in as it is, so all but numbers break the JSON. `quoted`: since v6.9.0. */
  readonly id: 'raw' | 'quoted';
  /** Since v6.10.0 absent params are an empty list. */
  readonly paramsOptional: boolean;
  /** What is said when `jsonrpc` is absent and the rest is there. */
  readonly versionMissing: 'paramsNotList' | 'methodOrVersionMissing';
};

export type RefusalWords = string | { readonly code: number; readonly message: string };

export type HttpRules = {
  /** Largest batch; over it HTTP 413. */
  readonly maxBatch: number;
  readonly malformedJson: { readonly contentType: string; readonly body: string };
  /** What `/api/v2/config/backend-version` tells; undefined where that route does not exist. */
  readonly backendVersion: string | undefined;
  readonly rateLimit: { readonly message: string; readonly headers: boolean };
  /** Path to method, for the routes of one method each that v12 adds. */
  readonly singleMethodRoutes: Readonly<Record<string, string>>;
};
