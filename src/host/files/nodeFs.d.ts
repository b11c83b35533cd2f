/**
 * The part of Node that exports are written with and projects are read with. All other code is typed without Node.
 */
declare module 'node:fs/promises' {
  type Writing = import('../../core/index.ts').NodeFileWriter;
  type Reading = import('../../core/index.ts').NodeFileReader;
  export const constants: Reading['constants'];
  export const open: Writing['open'] & Reading['open'];
  export const lstat: Writing['lstat'] & Reading['lstat'];
  export const readdir: Reading['readdir'];
  export const realpath: Reading['realpath'];
  export const watch: import('./nodeFiles.ts').NodeFileWatcher['watch'];
  export const readlink: Writing['readlink'];
  export const mkdir: Writing['mkdir'];
  export const link: Writing['link'];
  export const rename: Writing['rename'];
  export const unlink: Writing['unlink'];
  export const statfs: Writing['statfs'];
}
