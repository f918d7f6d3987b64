import { expect, test } from "bun:test";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { watchOwnedTexts } from "../happy-dom.ts";

function html(element: ReactNode): string {
  return render(element).container.innerHTML;
}

test("a text with siblings has its own element, and one without has none", () => {
  expect(html(<p>Works.</p>)).toBe("<p>Works.</p>");
  expect(
    html(
      <p>
        <b>1</b> of {2} <i />
      </p>,
    ),
  ).toBe("<p><b>1</b><span> of 2 </span><i></i></p>");
  expect(html(<>Works.</>)).toBe("<span>Works.</span>");
});

test("texts that follow each other are one text, also past what is not shown", () => {
  const hidden = false;
  expect(
    html(
      <p>
        Showing {1} of {2}
      </p>,
    ),
  ).toBe("<p>Showing 1 of 2</p>");
  expect(
    html(
      <p>
        {"a"}
        {hidden && <b />}
        {""}
        {0}
      </p>,
    ),
  ).toBe("<p>a0</p>");
});

function Field({ hint, unit }: { hint?: string; unit?: string }) {
  return (
    <p>
      {hint}
      {unit}
      <input />
    </p>
  );
}

test("an element keeps its place while texts around it come and go", () => {
  const { container, rerender } = render(<Field />);
  const input = container.querySelector("input");
  for (const texts of [{ hint: "a" }, { unit: "b" }, { hint: "a", unit: "b" }, {}]) rerender(<Field {...texts} />);
  expect(container.querySelector("input") === input).toBeTrue();
});

function Bare() {
  return "bare";
}

test("every island test finds texts that React owns", () => {
  // Outside the document, so that the watch of this test does not find it.
  const container = document.createElement("div");
  const ownedTexts = watchOwnedTexts(container);
  render(<Bare />, { container });
  expect(ownedTexts()).toEqual(['"bare" in <div class="">']);
});
