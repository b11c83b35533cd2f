/** Folders that are listed. A workspace of 50,000 files has about 5,000. */
export const MOST_FOLDERS = 20_000;
/** Folders in one another; the deepest real artifacts lie at about 12. */
export const DEEPEST_FOLDER = 32;
/** Entries of one folder: `out` of a project has one for each source. */
export const MOST_ENTRIES = 20_000;
/** Files that may tell something. */
export const MOST_FILES = 30_000;
/** Bytes of a file: artifacts have up to 4 MB, with the syntax tree of a large contract in them. */
export const LARGEST_FILE = 16 * 1024 * 1024;
/** Contracts and deployments in all files together: several times what the largest workspaces have. */
export const MOST_CONTRACTS = 30_000;
export const MOST_DEPLOYMENTS = 100_000;
/** Characters of all texts that are held, each counted once: it bounds the memory. */
export const MOST_CHARACTERS = 32 * 1024 * 1024;
/** Sources that are read because others import them. */
export const MOST_IMPORTED = 5_000;
/** Files named in the report as left out; more are counted. */
export const MOST_TOLD = 1_000;
