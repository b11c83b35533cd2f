/** As text, for what is drawn in a tree of its own. */
declare module '*/output.css' {
  const style: string;

  export { style as default };
}
declare module '*.css';
