declare module '*.sh?raw' {
  const text: string;
  export default text;
}

declare module '*?thread' {
  const source: string;
  export default source;
}
