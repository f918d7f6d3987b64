import { expect, test } from "bun:test";
import { openPanel } from "../panel.ts";

const path = "/.well-known/security.txt";

test("with a contact, security.txt contains it, its address and an expiry", async () => {
  const publicUrl = new URL("https://localhost");
  const panel = await openPanel({ publicUrl, securityContact: "mailto:security@example.com" });
  const response = await panel.newClient().get(path);
  await panel.close();
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  expect(response.text).toBe(`Contact: mailto:security@example.com
Expires: 2025-09-01T00:00:00.000Z
Canonical: https://localhost/.well-known/security.txt
Preferred-Languages: en
`);
});

test("without PUBLIC_URL, security.txt has no address", async () => {
  const panel = await openPanel({ securityContact: "https://example.com/holes" });
  const { text } = await panel.newClient().get(path);
  await panel.close();
  expect(text).toStartWith("Contact: https://example.com/holes\n");
  expect(text).not.toContain("Canonical");
});

test("without a contact there is no security.txt", async () => {
  const panel = await openPanel();
  expect((await panel.newClient().get(path)).status).toBe(404);
  await panel.close();
});
