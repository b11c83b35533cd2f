/** As text, for a shadow tree. */
declare module '*/output.css' {
  export const style: string;
}
declare module '*.css';
