import * as vscode from 'vscode';

/** What a step on a file gives; undefined where the file is not there. */
export async function ifThere<T>(step: PromiseLike<T>): Promise<T | undefined> {
  try {
    return await step;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}
