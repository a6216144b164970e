/** Fails to compile, and throws, when a union has a member that a switch forgot. */
export function assertNever(value: never): never {
  throw new Error(`not handled: ${JSON.stringify(value)}`);
}
