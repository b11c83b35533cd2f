import { createDataApiClient, createDataApiRateLimit } from '../../core/index.ts';

/** A file of its own, so that it is loaded when a data API is first asked: most windows have no key for one. */
export const openDataApi = { client: createDataApiClient, rateLimit: createDataApiRateLimit };
