/** The part of Node that an export writes with, where there is Node. The rest of the extension is typed without. */
declare module 'node:fs/promises' {
  type NodeFiles = import('./diskPlace.ts').NodeFiles;
  export const open: NodeFiles['open'];
  export const lstat: NodeFiles['lstat'];
  export const readlink: NodeFiles['readlink'];
  export const link: NodeFiles['link'];
  export const rename: NodeFiles['rename'];
  export const unlink: NodeFiles['unlink'];
  export const statfs: NodeFiles['statfs'];
}
