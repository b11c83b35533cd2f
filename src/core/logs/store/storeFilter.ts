import type { LogStore } from './logStore.ts';

/** Makes for a store what tells whether a row of it passes. */
export type RowFilter = (store: LogStore) => (row: number) => boolean;
