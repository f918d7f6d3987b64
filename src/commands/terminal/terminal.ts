import { fstatSync } from "node:fs";

/**
 * Whether a standard stream (0, 1, 2) is a person's terminal. What is no device cannot be one: `node:tty` is not loaded for it, which takes all of
 * Node's streams with it, at each start of a server.
 */
export function isTerminal(descriptor: number): boolean {
  return isDevice(descriptor) && process.getBuiltinModule("node:tty").isatty(descriptor);
}

function isDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}
