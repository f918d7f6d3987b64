import { spawn } from "bun";

/**
 * `bun run advisories`: asks the registry for published vulnerabilities of the product's dependencies. Exit code 0:
 * none; 1: some, which are listed; 3: the registry did not respond.
 */
const exitCodes = { none: 0, found: 1, noResponse: 3 } as const;

interface Advisory {
  title: string;
  severity: string;
  url: string;
  vulnerable_versions: string;
}

const timeoutMs = 60_000;

const audit = spawn([process.execPath, "audit", "--production", "--json"], {
  stdout: "pipe",
  stderr: "pipe",
  timeout: timeoutMs,
});
const [response, errors] = await Promise.all([new Response(audit.stdout).text(), new Response(audit.stderr).text()]);
await audit.exited;

const advisories = read(response);
if (advisories === null) {
  console.log(`The registry did not respond, so published vulnerabilities are unknown. ${errors.trim()}`);
  process.exit(exitCodes.noResponse);
}
for (const [name, found] of Object.entries(advisories)) {
  for (const { title, severity, url, vulnerable_versions } of found) {
    console.log(`${name} ${vulnerable_versions}: ${title} (${severity}, ${url})`);
  }
}
const count = Object.values(advisories).flat().length;
console.log(`Published vulnerabilities of the product's dependencies: ${count}.`);
process.exit(count === 0 ? exitCodes.none : exitCodes.found);

/** Returns the advisories by package, or null for any other response. */
function read(text: string): Record<string, Advisory[]> | null {
  try {
    const found = JSON.parse(text);
    return typeof found === "object" && found !== null && Object.values(found).every(Array.isArray) ? found : null;
  } catch {
    return null;
  }
}
