import { createPageFetch } from '../../core/index.ts';
import { mayRequest } from '../webHost.ts';

/** The browser's `fetch`, which {@link mayRequest} restricts. */
export const pageFetch = createPageFetch({ fetch: (...args) => globalThis.fetch(...args), mayRequest });
