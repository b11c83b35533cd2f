/** A query by its title, and by what else tells it apart. */
export interface TitledQuery {
  readonly title: string;
  /** Its blocks, where they were chosen. */
  readonly range: string;
}

/** Titles of which no two are alike: those that would be get their range, or a number where that is the same too. */
export function distinctTitles(queries: readonly TitledQuery[]): readonly string[] {
  const titles = queries.map(({ title }) => title);
  const ranged = queries.map(({ title, range }) => {
    const isAlone = titles.filter((other) => other === title).length === 1;
    return isAlone || range === '' ? title : `${title} · ${range}`;
  });
  const taken = new Set<string>();
  return ranged.map((title) => {
    let distinct = title;
    for (let number = 2; taken.has(distinct); number++) distinct = `${title} (${number})`;
    taken.add(distinct);
    return distinct;
  });
}
