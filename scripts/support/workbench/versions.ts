/** A VS Code server and workbench from npm: the package `code-server` carries both, built and unpacked. */
export interface WorkbenchVersion {
  readonly vscode: string;
  readonly codeServer: string;
  /** Of the tarball of `code-server`; its own shrinkwrap pins what it needs. */
  readonly integrity: string;
  /** A Node that it runs on, where that is not the one of the scripts. */
  readonly node?: string;
}

/** `floor` is the oldest VS Code that `engines.vscode` admits. */
export const workbenchVersions = {
  newest: {
    vscode: '1.139.1',
    codeServer: '4.139.1',
    integrity:
      'sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==',
  },
  floor: {
    vscode: '1.103.2',
    codeServer: '4.103.2',
    integrity:
      'sha512-dbYFASiePozmAfA2e3BYE7r83CdZ7LMDEAzKhLVRJwFbnd4zAaFlsxvBNrLAkunDJUaEqbtawsBfbtDZu6SXnQ==',
    node: '22.23.3',
  },
} as const satisfies Record<string, WorkbenchVersion>;
