/** A VS Code server and workbench from npm: the package `code-server` carries both, built and unpacked. */
export interface WorkbenchVersion {
  readonly vscode: string;
  readonly codeServer: string;
  /** Of the tarball of `code-server`; its own shrinkwrap pins what it needs. */
  readonly integrity: string;
  readonly nodeMajor: 22 | 24;
}

/** `floor` is the oldest VS Code that `engines.vscode` admits. */
export const workbenchVersions = {
  newest: {
    vscode: '1.139.1',
    codeServer: '4.139.1',
    integrity:
      'sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==',
    nodeMajor: 24,
  },
  floor: {
    vscode: '1.103.2',
    codeServer: '4.103.2',
    integrity:
      'sha512-dbYFASiePozmAfA2e3BYE7r83CdZ7LMDEAzKhLVRJwFbnd4zAaFlsxvBNrLAkunDJUaEqbtawsBfbtDZu6SXnQ==',
    nodeMajor: 22,
  },
} as const satisfies Record<string, WorkbenchVersion>;
