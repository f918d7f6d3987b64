import { expect, test } from "bun:test";
import { packed } from "./compression.ts";

const page = new TextEncoder().encode("<li>one of many equal rows</li>".repeat(1_000));
const asked = (encoding = "gzip, br") => new Request("http://localhost/", { headers: { "accept-encoding": encoding } });
const owl = { id: 7, role: "reseller" } as const;
const margaret = { id: 1, role: "admin" } as const;

test("a body over 1 KB is gzipped for clients that accept it, and varies for all", async () => {
  const { body, headers } = await packed(page, asked(), owl);
  expect(headers).toEqual({ vary: "Accept-Encoding", "content-encoding": "gzip" });
  expect([body.byteLength < 1_000, Bun.gunzipSync(body)]).toEqual([true, page]);
  for (const encoding of ["br", "gzip;q=0"])
    expect(await packed(page, asked(encoding), owl)).toEqual({ body: page, headers: { vary: "Accept-Encoding" } });
  const short = page.slice(0, 1_024);
  expect(await packed(short, asked(), owl)).toEqual({ body: short, headers: {} });
});

test("an account has a quarter of the places, and what finds none is sent at once as it is", async () => {
  const sent = (by: typeof owl | typeof margaret, count: number) =>
    Array.from({ length: count }, () => packed(page, asked(), by));
  const zipped = (all: { headers: Record<string, string> }[]) =>
    all.filter(({ headers }) => "content-encoding" in headers).length;
  const [owls, margarets] = [sent(owl, 6), sent(margaret, 6)];
  expect([zipped(await Promise.all(owls)), zipped(await Promise.all(margarets))]).toEqual([4, 4]);
  expect(zipped(await Promise.all(sent(owl, 1)))).toBe(1);
});
