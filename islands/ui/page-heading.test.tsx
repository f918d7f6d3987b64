import { afterAll, expect, spyOn, test } from "bun:test";
import { fireEvent, render, screen } from "@testing-library/react";
import { PageHeading } from "./page-heading.tsx";

const back = spyOn(window.history, "back").mockImplementation(() => {});
const { origin } = window.location;

afterAll(() => {
  back.mockRestore();
  Reflect.deleteProperty(document, "referrer");
});

test("the way back is the browser's Back if the list led here, with whatever filters it had", () => {
  window.history.pushState(null, "");
  render(<PageHeading title="Order 7" back={{ href: "/reseller/orders?sort=count", label: "Orders" }} />);
  const press = (from: string, init = {}) => {
    Object.defineProperty(document, "referrer", { value: from, configurable: true });
    const goesOn = fireEvent.click(screen.getByRole("link", { name: "Orders" }), init);
    return [goesOn, back.mock.calls.length];
  };
  for (const from of ["", "https://example.com/reseller/orders?sort=count", `${origin}/reseller/keys?sort=count`])
    expect(press(from)).toEqual([true, 0]);
  expect(press(`${origin}/reseller/orders`)).toEqual([true, 0]);
  expect(press(`${origin}/reseller/orders?sort=count&search=a`, { ctrlKey: true })).toEqual([true, 0]);
  expect(press(`${origin}/reseller/orders?sort=count&search=a`)).toEqual([false, 1]);
});
