import type { LogPage, LogQuery } from './logQuery.ts';

/**
 * The next pages of a query, each asked for when the one before was taken, until there is no more or `most` have come.
 *
 * @throws AppError as {@link LogQuery.nextPage} does; what was given before holds.
 * @example for await (const { logs } of nextPages(query, { most: 3, signal })) print(logs);
 */
export async function* nextPages(
  query: Pick<LogQuery, 'nextPage'>,
  {
    most = Number.POSITIVE_INFINITY,
    signal,
  }: { readonly most?: number; readonly signal?: AbortSignal | undefined },
): AsyncGenerator<LogPage> {
  for (let count = 0; count < most; count++) {
    const page = await query.nextPage({ signal });
    yield page;
    if (page.verdict.state !== 'more') return;
  }
}
