/**
 * The part of Node that exports are written with and projects are read with. All other code is typed without Node.
 */
declare module 'node:fs/promises' {
  type NodeFiles = import('./disk.ts').NodeFileWriter;
  type NodeReading = import('./nodeFiles.ts').NodeFileReader;
  export const open: NodeFiles['open'] & NodeReading['open'];
  export const lstat: NodeFiles['lstat'] & NodeReading['lstat'];
  export const readdir: NodeReading['readdir'];
  export const watch: NodeReading['watch'];
  export const readlink: NodeFiles['readlink'];
  export const link: NodeFiles['link'];
  export const rename: NodeFiles['rename'];
  export const unlink: NodeFiles['unlink'];
  export const statfs: NodeFiles['statfs'];
}
