import { expect, test } from "bun:test";
import { isCurrent, navigations } from "./navigation.ts";

test("Overview is also current on a reseller's keys, and other destinations only on their own path", () => {
  const current = (path: string) =>
    navigations.admin.first.filter(({ href }) => isCurrent(href, path)).map((d) => d.label);
  expect(current("/admin")).toEqual(["Overview"]);
  expect(current("/admin/resellers/7/keys")).toEqual(["Overview"]);
  expect(current("/admin/resellers")).toEqual(["Manage Resellers"]);
});

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
