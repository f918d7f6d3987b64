import { lastRoleCookie } from "../../islands/entrance/parts/last-role.ts";
import SignIn from "../../islands/entrance/sign-in.tsx";
import type { EntrancePage } from "./page.ts";

export const signInPage: EntrancePage = {
  path: "/",
  title: "Sign in",
  heading: "Sign in to Latchkey",
  description: "License keys for mobile games",
  needsScript: "to sign you in",
  content: ({ island, messagingLink, cookie }) =>
    island("sign-in", SignIn, {
      messagingLink,
      lastRole: cookie(lastRoleCookie) === "reseller" ? "reseller" : "admin",
    }),
};
