import { nameTab } from '../../../host/surface/tabs.ts';
import { distinctTitles, type TitledQuery } from '../words/distinctTitles.ts';

interface Titled {
  title: string;
}

/** Names the tabs of the log panels, so that no two are called alike. */
export class TabTitles {
  readonly #queries = new Map<Titled, TitledQuery>();

  name(panel: Titled, query: TitledQuery): void {
    this.#queries.set(panel, query);
    this.#tell();
  }

  forget(panel: Titled): void {
    this.#queries.delete(panel);
    this.#tell();
  }

  #tell(): void {
    const panels = [...this.#queries.keys()];
    for (const [index, title] of distinctTitles([...this.#queries.values()]).entries()) {
      const panel = panels[index];
      if (panel && panel.title !== title) nameTab(panel, title);
    }
  }
}
