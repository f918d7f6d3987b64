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

test.each(["postgres://one/shop", "postgresql://ann:pass@one:5432,two:5432/shop?target_session_attrs=read-write"])(
  "the address %s is accepted",
  (address) => {
    expect(addressProblem(address)).toBeNull();
  },
);

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
])("the address %s is refused without repeating a password", (address, sentence) => {
  const problem = addressProblem(address);
  expect(problem).toContain(sentence);
  expect(problem).not.toContain("hush-hush");
});
