import { version as release } from "../../package.json";

/** Defined by the build; empty if the build does not know it. Code that runs from source has none. */
declare const builtFromCommit: string | undefined;

/** The release, and in the executable the commit that it was built from: `0.1.0+d1fd1da`. */
export const version = [release, typeof builtFromCommit === "string" ? builtFromCommit : ""].filter(Boolean).join("+");
