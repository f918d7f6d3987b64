import { afterEach, expect, test } from "bun:test";
import { getJson, postJson } from "../server/api.ts";
import { markHydrated } from "./hydration.ts";

const realFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = realFetch;
  document.body.replaceChildren();
});

test("an answer is let in once every island of the page is awake, so that each hydrates what the server rendered", async () => {
  globalThis.fetch = (async () => Response.json("data")) as unknown as typeof fetch;
  document.body.innerHTML = '<div data-island="header"></div><div data-island="keys"></div>';
  const [header, keys] = [...document.querySelectorAll<HTMLElement>("[data-island]")] as [HTMLElement, HTMLElement];
  let read: unknown;
  const reading = getJson("/api/x").then((data) => {
    read = data;
  });
  markHydrated(header);
  expect(await postJson<string>("/api/y")).toBe("data");
  expect(read).toBeUndefined();
  markHydrated(keys);
  await reading;
  expect(read).toBe("data");
});
