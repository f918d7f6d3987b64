import { afterEach, expect, test } from "bun:test";
import { call } from "../api/api.ts";
import { restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { markHydrated } from "./hydration.ts";

afterEach(() => {
  restoreFetch();
  document.body.replaceChildren();
});

test("a response is delivered once every island is hydrated, so that each hydrates what the server rendered", async () => {
  const profile = { username: "night.owl", credits: 12.5, registrationDate: "2025-03-05T12:00:00.000Z" };
  const message = "Logged out successfully";
  stubFetch({ "GET /api/reseller/profile": () => profile, "POST /api/auth/logout": () => ({ message }) });
  document.body.innerHTML = '<div data-island="header"></div><div data-island="keys"></div>';
  const [header, keys] = [...document.querySelectorAll<HTMLElement>("[data-island]")] as [HTMLElement, HTMLElement];
  let read: unknown;
  const reading = call("GET /api/reseller/profile").then((data) => {
    read = data;
  });
  markHydrated(header);
  expect(await call("POST /api/auth/logout")).toEqual({ message });
  expect(read).toBeUndefined();
  markHydrated(keys);
  await reading;
  expect(read).toEqual(profile);
});
