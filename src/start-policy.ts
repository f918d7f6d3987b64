import { takeUsualPages } from "./huge-pages.ts";

/**
 * How much more often than usual code must have run, in the executable, before JavaScriptCore compiles it: what a start runs, it runs once or a few
 * times, and to compile it costs more than it gains. It holds for the main thread alone, and until `runAsUsual`.
 */
export const reluctanceAtStart = 100;

/** From now on code is compiled as soon as it pays where it runs for long, and memory is taken in pages of the usual size. */
export function runAsUsual(): void {
  Bun.unsafe.setJITPolicy(1);
  takeUsualPages();
}
