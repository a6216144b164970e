declare module '*.sh?raw' {
  const text: string;
  export default text;
}
