/** As text, for what is drawn in a tree of its own. */
declare module '*/output.css' {
  export const style: string;
}
declare module '*.css';
