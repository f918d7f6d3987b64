import { expect, test } from "bun:test";
import { navigations } from "./navigation.ts";

test("a bottom bar has the three main destinations, and the admin's drawer the other four", () => {
  const labels = (role: "admin" | "reseller", part: "first" | "rest") => navigations[role][part].map((d) => d.label);
  expect(labels("admin", "first")).toEqual(["Overview", "Manage Resellers", "Create Keys"]);
  expect(labels("admin", "rest")).toEqual([
    "Online Updates",
    "Referral Tokens",
    "Database Backup",
    "API Documentation",
  ]);
  expect(labels("reseller", "first")).toEqual(["Overview", "Generate Keys", "Manage Keys"]);
});
