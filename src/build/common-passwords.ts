import { join } from "node:path";
import { dictionary } from "@zxcvbn-ts/language-common";
import type { Plugin } from "esbuild";

/** The first that anybody tries. All 49,233 that the package has would weigh 222 kB gzipped, these weigh 38. */
const passwordsMax = 10_000;

/** Cuts the list of common passwords, most used first, to those that a browser is to load for the strength of a new one. */
export function commonPasswordsPlugin(root: string): Plugin {
  const passwords = dictionary["passwords-common"]?.slice(0, passwordsMax);
  const whole = join(root, "node_modules/@zxcvbn-ts/language-common/dist/adjacencyGraphs.json.mjs");
  return {
    name: "common passwords",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^@zxcvbn-ts\/language-common$/ }, ({ path }) => ({ path, namespace: "common-passwords" }));
      onLoad({ filter: /.*/, namespace: "common-passwords" }, () => ({
        contents: [
          `export { default as adjacencyGraphs } from ${JSON.stringify(whole)};`,
          `export const dictionary = { "passwords-common": ${JSON.stringify(passwords?.join(" "))}.split(" ") };`,
        ].join("\n"),
        resolveDir: root,
      }));
    },
  };
}
