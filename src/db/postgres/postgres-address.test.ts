import { expect, test } from "bun:test";
import { addressProblem, serversOf } from "./postgres-address.ts";

const hrefs = (address: string) => serversOf(address).map(({ href }) => href);

test("an address may name several servers, which share everything else", () => {
  expect(hrefs("postgres://ann:a%2Cb,c@one:5433,two,[::1]:5434/shop?application_name=x&connect_timeout=9")).toEqual([
    "postgres://ann:a%2Cb,c@one:5433/shop?application_name=x&connect_timeout=9",
    "postgres://ann:a%2Cb,c@two/shop?application_name=x&connect_timeout=9",
    "postgres://ann:a%2Cb,c@[::1]:5434/shop?application_name=x&connect_timeout=9",
  ]);
});

test("options that hosting providers append for other drivers are left out", () => {
  const added = "?application_name=latchkey&connect_timeout=3";
  const foreign = "pgbouncer=true&connection_limit=1&pool_timeout=0&supa=base-pooler.x&schema=public";
  expect(hrefs(`postgresql://one/shop?${foreign}&client_encoding=LATIN1`)).toEqual([`postgresql://one/shop${added}`]);
});

test.each([
  "postgres://one/shop",
  "postgresql://ann:pass@one:5432,two:5432/shop?target_session_attrs=read-write",
  "postgres://one/shop?sslmode=require&channel_binding=require&connect_timeout=15&options=-c%20geqo%3Doff",
])("the address %s is accepted", (address) => {
  expect(addressProblem(address)).toBeNull();
});

test.each([
  ["mysql://hush-hush@one/shop", "must be the address of a PostgreSQL database"],
  ["postgres://ann:hush-hush@/shop", "must be the address of a PostgreSQL database"],
  ["postgres://ann:hush-hush@one", "must be the address of a PostgreSQL database"],
  ["postgres://ann:hush-hush@one,/shop", "must be the address of a PostgreSQL database"],
  ["postgres://ann:hush-hush@one:x,two/shop", "must be the address of a PostgreSQL database"],
  [
    "postgres://one/shop?host=one,two&password=hush-hush",
    "must name several servers as in postgres://a:5432,b:5432/latchkey",
  ],
  ["postgres://one,two/shop?target_session_attrs=standby", "needs target_session_attrs=read-write"],
  ["postgres://one/shop?sslmode=hush-hush", "cannot be used: The argument 'sslmode' must be one of"],
  ["postgres://one/shop?channel_binding=hush-hush", "must be one of: disable, prefer, require"],
  ["postgres://one/shop?connect_timeout=hush-hush", "must be a non-negative integer"],
  ["postgres://one/shop?sslrootcert=/hush-hush.pem", "names a file in sslrootcert that cannot be read"],
  ["postgres://one/%E0", "cannot be used"],
])("the address %s is refused without repeating a password", (address, sentence) => {
  const problem = addressProblem(address);
  expect(problem).toContain(sentence);
  expect(problem).not.toContain("hush-hush");
});
