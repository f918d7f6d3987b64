import { afterAll, beforeAll, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { registerReseller, signInAdmin } from "../client.ts";
import { accessProblems } from "./axe.ts";
import { clipboard, withClipboard } from "./clipboard.ts";
import { closeDialog, toast } from "./on-screen.ts";
import { openStage, signIn } from "./stage.ts";
import { awake, lowTargets, overflowPixels, resize, settled, sizes } from "./visit.ts";

const stage = openStage({ WEBHOOK_ALLOW_PRIVATE: "on" });

/** The reseller's own server. */
let receiver: Bun.Server<undefined>;
const received: { headers: Record<string, string>; body: string }[] = [];
let status = 200;

beforeAll(() => {
  receiver = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1" },
    async fetch(request) {
      received.push({ headers: request.headers.toJSON(), body: await request.text() });
      return new Response("Thank you", { status });
    },
  });
});
afterAll(() => receiver.stop(true));

test("on a phone, a reseller makes a webhook, tests it, sends again, repairs it and deletes it", async () => {
  const username = "hears.events";
  await registerReseller(stage.newClient, await signInAdmin(stage.newClient), { username });
  await stage.visit(
    "webhooks",
    async ({ page }) => {
      await signIn(page, "reseller", { username, password: "test-reseller-password" });
      await page.goto("/reseller/account");
      await settled(page);
      await page.getByRole("link", { name: "Webhooks" }).click();
      await page.waitForURL("**/reseller/webhooks");
      await page.getByText("No webhooks yet").waitFor();
      await awake(page);
      const dialog = page.getByRole("dialog");

      // A new one, with a secret that is shown once.
      await page.getByRole("button", { name: "New Webhook" }).click();
      await dialog.getByLabel("Address").fill(`http://127.0.0.1:${receiver.port}/hook`);
      await dialog.getByRole("checkbox", { name: "Keys generated" }).check();
      await dialog.getByRole("checkbox", { name: "Credits run low" }).check();
      await dialog.getByLabel("Credits Below").fill("12,5");
      expect(await accessProblems(page)).toEqual([]);
      await page.getByRole("button", { name: "Create Webhook" }).click();
      await page.getByRole("dialog", { name: "Save the Secret" }).waitFor();
      await dialog.getByRole("button", { name: "Copy" }).click();
      await dialog.getByRole("button", { name: "Copied" }).waitFor();
      const secret = await clipboard(page);
      await closeDialog(page, "I've saved it");
      await page.getByText("Keys generated · Credits run low (below 12.5 credits)").waitFor();

      // A test arrives, signed with that secret, and so does the same event again.
      await page.getByRole("button", { name: /^Test / }).click();
      await dialog.getByText("Delivered").waitFor();
      await dialog.getByText(/ · 200 · /).waitFor();
      expect(await accessProblems(page)).toEqual([]);
      await dialog.getByRole("button", { name: "Resend" }).click();
      await dialog
        .getByText(/ · 200 · /)
        .nth(1)
        .waitFor();
      expect(received.map(({ headers, body }) => new Webhook(secret).verify(body, headers))).toEqual([
        expect.objectContaining({ type: "webhook.test" }),
        expect.objectContaining({ type: "webhook.test" }),
      ]);
      expect(received[0]?.headers["webhook-id"]).toBe(received[1]?.headers["webhook-id"] as string);

      // A server that says it is gone switches the webhook off, until it is switched on again.
      status = 410;
      await closeDialog(page, "Close");
      // Otherwise a fast machine presses Test again so soon that it counts as a double click.
      await page.reload();
      await awake(page);
      await page.getByRole("button", { name: /^Test / }).click();
      await dialog.getByText("Failed").waitFor();
      await closeDialog(page, "Close");
      await page.getByText("its server returned 410 Gone").waitFor();
      // Without the toasts, which would cover buttons.
      await page.reload();
      await settled(page);
      await resize(page, 320, 700);
      expect([await overflowPixels(page), await lowTargets(page), await accessProblems(page)]).toEqual([0, [], []]);
      await page.getByRole("button", { name: "Switch On" }).click();
      await toast(page, "Webhook switched on");

      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "New Secret" }).click();
      await page.getByRole("button", { name: "Make New Secret" }).click();
      await page.getByRole("dialog", { name: "Save the New Secret" }).waitFor();
      await closeDialog(page, "I've saved it");

      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await page.getByRole("button", { name: "Delete Webhook" }).click();
      await page.getByText("No webhooks yet").waitFor();
    },
    { ...withClipboard, viewport: sizes.phone, isMobile: true, hasTouch: true },
  );
});
