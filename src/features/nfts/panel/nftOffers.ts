import { Load } from '../../../host/loading/load.ts';
import type { NftsOffered } from '../words/wordsContext.ts';
import type { NftsDeps } from './deps.ts';

/** Which source of NFTs can be asked, and what it costs; looked up anew whenever that may have changed. */
export class NftOffers {
  readonly #session: NftsDeps['session'];
  readonly #load: Load<NftsOffered>;

  constructor(session: NftsDeps['session'], onDidChange: () => void) {
    this.#session = session;
    this.#load = new Load((what) => {
      if (what === 'value') onDidChange();
    });
  }

  /** Undefined before it was looked up. */
  get value(): NftsOffered | undefined {
    return this.#load.value;
  }

  /** Why the last look-up failed, if it did. */
  get error(): unknown {
    return this.#load.error;
  }

  /** Settles when the newest look-up is over. Never rejects. */
  async lookUp(): Promise<void> {
    const session = this.#session;
    await this.#load.run(async function* () {
      const access = await session.nfts();
      // Not the source itself, which has a key that may be forgotten.
      if (access.state !== 'ready') yield { state: access.state };
      else {
        const { source, withoutKey } = access;
        yield { state: 'ready', label: source.label, offers: source.offers, withoutKey };
      }
    });
    while (this.#load.isLoading) await this.#load.arrival;
  }

  dispose(): void {
    this.#load.clear();
  }
}
