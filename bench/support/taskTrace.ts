import type { Page } from 'playwright-core';
import * as z from 'zod/mini';

const Trace = z.object({
  traceEvents: z.array(
    z.object({
      name: z.string(),
      pid: z.number(),
      tid: z.number(),
      /** Microseconds that the thread had the processor. */
      tdur: z.optional(z.number()),
      args: z.optional(z.object({ name: z.optional(z.unknown()) })),
    }),
  ),
});

/**
 * The most time on the processor, in milliseconds, that one task of a page's main thread takes while `run` runs. Time
 * in which other programs have the processor is not in it, unlike in what the page itself can measure.
 */
export async function mostProcessorTime(page: Page, run: () => Promise<void>): Promise<number> {
  const browser = page.context().browser();
  if (!browser) throw new Error('The page has no browser.');
  await browser.startTracing(page, { categories: ['toplevel'] });
  await run();
  const trace = await browser.stopTracing();
  const { traceEvents } = Trace.parse(JSON.parse(trace.toString()));
  const threadOf = ({ pid, tid }: { readonly pid: number; readonly tid: number }) => `${pid}:${tid}`;
  const mainThreads = new Set(
    traceEvents.filter(({ args }) => args?.name === 'CrRendererMain').map((event) => threadOf(event)),
  );
  const tasks = traceEvents.filter(
    (event) => event.name === 'ThreadControllerImpl::RunTask' && mainThreads.has(threadOf(event)),
  );
  if (tasks.length === 0) throw new Error('The browser traced no tasks.');
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1000));
}
