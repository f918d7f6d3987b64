import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A process of its own, because memory is of the whole process. It says how the arena is marked, each time. */
const program = `
  import { readFileSync } from "node:fs";
  import { takeHugePages, takeUsualPages } from ${JSON.stringify(join(import.meta.dir, "huge-pages.ts"))};
  const marks = () => {
    const mappings = readFileSync("/proc/self/smaps", "utf8").split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
    const arena = mappings.find((mapping) => /^Size: +1048576 kB$/m.test(mapping) && / rw-p 00000000 00:00 0/.test(mapping));
    return arena?.match(/^VmFlags:.*$/m)[0].split(" ").filter((mark) => mark === "hg" || mark === "nh").join("") ?? "no arena";
  };
  const said = [marks()];
  takeUsualPages();
  said.push(marks());
  takeHugePages();
  said.push(marks());
  takeUsualPages();
  said.push(marks());
  console.log(JSON.stringify(said));
`;

test.if(hasHugePages())(
  "a start asks for huge pages, and only a start: what has not asked changes nothing",
  async () => {
    const child = Bun.spawn([process.execPath, "-e", program], { stdout: "pipe", stderr: "inherit" });
    expect(JSON.parse(await new Response(child.stdout).text())).toEqual(["", "", "hg", "nh"]);
  },
);

function hasHugePages(): boolean {
  try {
    return Number(readFileSync("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "utf8")) === 2 ** 21;
  } catch {
    return false;
  }
}
