import type { FileFacts } from '../facts.ts';

/** What a file tells that tells nothing. */
export const emptyFacts: FileFacts = { contracts: [], deployments: [], labels: [] };
