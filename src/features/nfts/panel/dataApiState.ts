import { Load } from '../../../host/loading/load.ts';
import type { DataApiAccess } from '../../../host/session/dataApiAccess.ts';
import type { NftsDeps } from './deps.ts';

/** Whether there is a data API to ask; looked up anew whenever that may have changed. */
export class DataApiState {
  readonly #session: NftsDeps['session'];
  readonly #load: Load<DataApiAccess['state']>;

  constructor(session: NftsDeps['session'], onDidChange: () => void) {
    this.#session = session;
    this.#load = new Load((what) => {
      if (what === 'value') onDidChange();
    });
  }

  /** Undefined before it was looked up. */
  get value(): DataApiAccess['state'] | undefined {
    return this.#load.value;
  }

  lookUp(): Promise<void> {
    const session = this.#session;
    return this.#load.run(async function* () {
      yield (await session.dataApi()).state;
    });
  }

  dispose(): void {
    this.#load.clear();
  }
}
