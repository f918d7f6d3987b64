import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The part of the bill of materials that is read. */
interface Component {
  "bom-ref": string;
  name: string;
  group?: string;
  version: string;
  author?: string;
  licenses: { license: { id: string } }[];
  components?: Component[];
}

const introduction = "Latchkey contains the following software of others, each under its own licence.";

/** Texts of licences and notices have names like these, in the folder of the package. */
const noticeFiles = /^(licen[cs]e|notice|copying|swagger-ui-bundle\.js\.license)/i;

const rule = "-".repeat(80);

/**
 * The licences of everything in the executable, as they demand to be passed on: the components of the bill of
 * materials with the texts from their packages. Packages with the same text are listed above it.
 */
export function thirdPartyNotices(root: string, bill: string): string {
  const { components } = JSON.parse(bill) as { components: Component[] };
  const byText = Map.groupBy(components, (component) => textOf(root, component));
  const sections = [...byText].map(([text, those]) => `${those.map(titleOf).join("\n")}\n\n${text}\n`);
  return [`${introduction}\n`, ...sections].join(`\n${rule}\n\n`);
}

function titleOf({ group, name, version, licenses }: Component): string {
  const licence = licenses.map(({ license }) => license.id).join(", ");
  return `${group ? `${group}/` : ""}${name} ${version} (${licence})`;
}

function textOf(root: string, component: Component): string {
  if (component.components) return textOfBun(component, component.components);
  const [, folder = ""] = component["bom-ref"].split("#");
  const inPackage = join(root, "node_modules", folder);
  const texts = readdirSync(inPackage)
    .filter((name) => noticeFiles.test(name))
    .sort()
    .map((name) => readFileSync(join(inPackage, name), "utf8").trim());
  if (texts.length > 0) return texts.join("\n\n");
  const licence = `https://spdx.org/licenses/${component.licenses[0]?.license.id}.html`;
  return `Copyright (c) ${component.author ?? "its authors"}. The text of the licence: ${licence}`;
}

/** Bun is downloaded as a program, without these texts. */
function textOfBun({ version }: Component, parts: Component[]): string {
  return `It contains:\n\n${parts.map(titleOf).join("\n")}

The texts, the sources, and how to link it again with another version of a part:
https://github.com/oven-sh/bun/blob/bun-v${version}/LICENSE.md`;
}
