import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Runs every SDK against vectors.json and against a running server, and clients that are generated from the API
 * document. The last line is `N passed, N failed`. The SDKs that must run count as failed where their tools are
 * missing; the others are listed as "not run".
 */
const root = join(import.meta.dir, "../..");
const sdkFolder = join(root, "public/sdk");
const runners = join(import.meta.dir, "runners");
const built = mkdtempSync(join(tmpdir(), "sdk-run-"));

// The server is the executable, if there is one.
const executable = join(root, "build/latchkey");
if (existsSync(executable)) process.env.LATCHKEY_BINARY ??= executable;
const { tryGeneratedClients } = await import("./generated-clients.ts");
const { playScenario } = await import("./scenario.ts");

interface Sdk {
  file: string;
  mustRun?: boolean;
  /** Whether its runner only calls a server. */
  hasNoVectors?: boolean;
  /** Each is a program, or a file of a library. */
  needs: string[];
  build?: string[];
  run: string[];
}

const bouncyCastle = "/usr/share/java/bcprov.jar";
/** Debian's own comes first: its packages are installed for that one. */
const python =
  ["/usr/bin/python3", "python3"].find((each) => succeeds([each, "-c", "import cryptography"])) ?? "python3";

const sdks: Sdk[] = [
  {
    file: "latchkey.ts",
    mustRun: true,
    // vectors.test.ts runs them.
    hasNoVectors: true,
    needs: [],
    run: [process.execPath, join(runners, "call-server.ts")],
  },
  {
    file: "latchkey.ts on Node",
    hasNoVectors: true,
    needs: ["node"],
    build: [
      ...[process.execPath, "build", "--target=node", join(runners, "call-server.ts")],
      ...["--outfile", join(built, "call-server.mjs")],
    ],
    run: ["node", join(built, "call-server.mjs")],
  },
  {
    file: "latchkey.py",
    mustRun: true,
    needs: [python],
    run: [python, join(runners, "run_vectors.py")],
  },
  {
    file: "latchkey.hpp",
    mustRun: true,
    needs: ["g++", "/usr/include/sodium.h"],
    build: [
      ...["g++", "-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", `-I${sdkFolder}`],
      ...[join(runners, "run_vectors.cpp"), "-o", join(built, "cpp"), "-lsodium", "-lpthread"],
    ],
    run: [join(built, "cpp")],
  },
  {
    file: "Latchkey.java",
    mustRun: true,
    needs: ["javac", "java", bouncyCastle],
    build: [
      ...["javac", "-Xlint:all,-path", "-Werror", "-d", join(built, "java"), "-cp", bouncyCastle],
      ...[join(sdkFolder, "Latchkey.java"), join(runners, "RunVectors.java")],
    ],
    run: ["java", "-XX:TieredStopAtLevel=1", "-cp", `${join(built, "java")}:${bouncyCastle}`, "RunVectors"],
  },
  {
    file: "Latchkey.cs",
    needs: ["mcs", "mono", "/usr/include/sodium.h"],
    // Debian has no Bouncy Castle for Mono: BouncyCastle.cs calls libsodium in its place.
    build: [
      ...["mcs", "-warnaserror", `-out:${join(built, "RunVectors.exe")}`, join(sdkFolder, "Latchkey.cs")],
      ...["RunVectors.cs", "BouncyCastle.cs"].map((name) => join(runners, name)),
    ],
    run: ["mono", join(built, "RunVectors.exe")],
  },
  {
    file: "latchkey.lua",
    needs: ["lua5.3", "gcc", "curl", "/usr/include/lua5.3/lua.h", "/usr/include/sodium.h"],
    // Debian has no luasodium: luasodium.c has its functions.
    build: [
      ...["gcc", "-shared", "-fPIC", "-I/usr/include/lua5.3", join(runners, "luasodium.c")],
      ...["-o", join(built, "luasodium.so"), "-lsodium"],
    ],
    run: ["env", `LUA_CPATH=${built}/?.so`, "lua5.3", join(runners, "run_vectors.lua")],
  },
  // Neither has a package in Debian, and nothing here would start them.
  { file: "Latchkey.swift", needs: ["a runner, which needs Xcode's Swift"], run: [] },
  { file: "latchkey.dart", needs: ["a runner, which needs Dart"], run: [] },
];

let passed = 0;
let failed = 0;
const fail = (what: string) => {
  failed += 1;
  console.log(`failed: ${what}`);
};

for (const { file, mustRun, hasNoVectors, needs, build, run } of sdks) {
  const missing = needs.filter((need) => (need.startsWith("/") ? !existsSync(need) : !Bun.which(need)));
  if (missing.length > 0) {
    if (mustRun) fail(`${file} cannot run without ${missing.join(", ")}`);
    else console.log(`not run: ${file}, for lack of ${missing.join(", ")}`);
    continue;
  }
  if (build && !succeeds(build, "inherit")) {
    fail(`${file} does not compile`);
    continue;
  }
  if (!hasNoVectors) {
    const output = Bun.spawnSync([...run, sdkFolder], { stderr: "inherit" }).stdout.toString();
    const counts = output.match(/(\d+) passed, (\d+) failed\n$/);
    console.log(`${file}: ${output.trim()}`);
    passed += Number(counts?.[1] ?? 0);
    failed += Number(counts?.[2] ?? 1);
  }
  await playScenario([...run, sdkFolder])
    .then(() => {
      passed += 1;
      console.log(`${file}: plays on a running server`);
    })
    .catch((reason) => fail(`${file} on a running server: ${reason}`));
}

for (const [generator, problem] of await tryGeneratedClients()) {
  if (problem !== null) {
    fail(`the client that ${generator} generates: ${problem}`);
    continue;
  }
  passed += 1;
  console.log(`${generator}: generates a client, which compiles and works on a running server`);
}

rmSync(built, { recursive: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function succeeds(command: string[], output: "inherit" | "ignore" = "ignore"): boolean {
  try {
    return Bun.spawnSync(command, { stdout: output, stderr: output }).exitCode === 0;
  } catch {
    return false;
  }
}
