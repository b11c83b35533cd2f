/** As text, for what is drawn in a tree of its own. */
declare module '*/output.css' {
  const style: string;
  // biome-ignore lint/style/noDefaultExport: a file that is loaded as its text has no other
  export default style;
}
declare module '*.css';
