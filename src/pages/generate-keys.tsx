import GenerateKeys from "../../islands/screens/generate-keys.tsx";
import type { PanelPage } from "./page.ts";

export const generateKeysPage: PanelPage = {
  path: "/reseller/generate",
  role: "reseller",
  title: "Generate Keys",
  screen: ({ island, viewer }) => island("generate-keys", GenerateKeys, { resellerId: viewer.id }),
};
