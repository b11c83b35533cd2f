import type { Node, SourceFile } from 'typescript/unstable/ast';
import { createVirtualFileSystem } from 'typescript/unstable/fs';
import { API } from 'typescript/unstable/sync';

/** What `read` makes of the syntax of each file, whose path is from the root; nothing that they import is read. */
export function parseFiles<T>(
  files: Readonly<Record<string, string>>,
  read: (name: string, file: SourceFile) => T,
): readonly T[] {
  const names = Object.keys(files);
  const compilerOptions = { noLib: true, noResolve: true, types: [], jsx: 'preserve' };
  const entries = names.map((name) => [`/${name}`, files[name] ?? ''] as const);
  const config = JSON.stringify({ compilerOptions, files: names });
  const fs = createVirtualFileSystem({ '/tsconfig.json': config, ...Object.fromEntries(entries) });
  const api = new API({ cwd: '/', fs });
  try {
    const [project] = api.updateSnapshot({ openProjects: ['/tsconfig.json'] }).getProjects();
    return names.map((name) => {
      const file = project?.program.getSourceFile(`/${name}`);
      if (!file) throw new Error(`${name} was not parsed.`);
      return read(name, file);
    });
  } finally {
    api.close();
  }
}

export function childrenOf(node: Node): readonly Node[] {
  const children: Node[] = [];
  node.forEachChild((child) => {
    children.push(child);
  });
  return children;
}

/** The node and all below it, each before its children. */
export function descendants(node: Node): readonly Node[] {
  const nodes: Node[] = [];
  const visit = (each: Node): void => {
    nodes.push(each);
    // A value that is not undefined would end it.
    each.forEachChild((child) => void visit(child));
  };
  visit(node);
  return nodes;
}
