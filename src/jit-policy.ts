/**
 * How much more often than usual code must have run, in the executable, before JavaScriptCore compiles it: what a start runs, it runs once or a few
 * times, and to compile it costs more than it gains. It holds for the main thread alone, and until `compileAsUsual`.
 */
export const reluctanceAtStart = 100;

/** From now on code is compiled as soon as it pays where it runs for long. */
export function compileAsUsual(): void {
  Bun.unsafe.setJITPolicy(1);
}
