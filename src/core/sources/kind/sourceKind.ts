import type { Clock } from '../../base/clock.ts';
import type { RateLimit } from '../../base/rateLimit.ts';
import type { KeyPlace, Offers } from '../../base/source.ts';
import type { HistoryQuestion, HistorySource } from '../../history/historySource.ts';
import type { HoldingsQuestion, HoldingsSource } from '../../holdings/holdingsSource.ts';
import type { HttpDeps } from '../../http/http.ts';
import type { IdentityQuestion, IdentitySource } from '../../identity/identitySource.ts';
import type { Network } from '../../networks/network.ts';
import type { NftSource, NftSourceQuestion } from '../../nfts/nftSource.ts';
import type { TransactionQuestion, TransactionSource } from '../../transactions/transactionSource.ts';
import type { SignatureQuestion, SignatureSource } from '../../verified/signatureSource.ts';
import type { VerifiedQuestion, VerifiedSource } from '../../verified/verifiedContract.ts';

/** What a source tells of, by the port that it is asked through. */
export interface SourcePorts {
  readonly holdings: HoldingsSource;
  readonly nfts: NftSource;
  readonly identity: IdentitySource;
  readonly verified: VerifiedSource;
  readonly signatures: SignatureSource;
  readonly history: HistorySource;
  readonly transactions: TransactionSource;
}

/** Everything that can be asked through a port. */
interface SourceQuestions {
  readonly holdings: HoldingsQuestion;
  readonly nfts: NftSourceQuestion;
  readonly identity: IdentityQuestion;
  readonly verified: VerifiedQuestion;
  readonly signatures: SignatureQuestion;
  readonly history: HistoryQuestion;
  readonly transactions: TransactionQuestion;
}

/** What can be asked through a port, with what it costs. */
export type SourceOffers<Port extends keyof SourcePorts> = Offers<SourceQuestions[Port]>;

export interface SourceOptions extends HttpDeps {
  readonly url: string;
  readonly chainId: number;
  /** Undefined for a source that takes none. */
  readonly key: { readonly text: string; readonly place: KeyPlace } | undefined;
  /** Shared by all that are open at one origin. */
  readonly rateLimit: RateLimit;
  /** Once it aborts, nothing is sent any more and what is on its way is cancelled. */
  readonly revoked: AbortSignal;
}

/** One way to facts about addresses and tokens, not opened yet. */
export interface SourceKind {
  readonly name: string;
  /** Whether it is asked with a key only. */
  readonly takesKey: boolean;
  /** Whether it answers from an index of its own, and not from the contracts. */
  readonly hasIndex?: boolean;
  /** Where it is asked about the chain of `network`; undefined where the network has no such service. */
  urlFor(network: Network): string | undefined;
  /** What it can be asked, by port, with what that costs: known before it is opened. No port, no such source. */
  readonly offers: { readonly [Port in keyof SourcePorts]?: SourceOffers<Port> };
  /** The pace that the service allows; one for each origin. */
  createRateLimit(deps: { readonly clock: Clock }): RateLimit;
  /**
   * Opens it, and may ask the server what it can do: a port that is missing is looked for at the next source.
   *
   * @throws AppError as a first question does; `badInput` for a URL or key of no use.
   */
  open(options: SourceOptions): Promise<Partial<SourcePorts>>;
}
