import { beforeEach, expect, test } from "bun:test";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createStore } from "jotai";
import { PanelState } from "./root/panel-state.tsx";
import Sidebar from "./sidebar.tsx";

beforeEach(() => {
  localStorage.clear();
  delete document.documentElement.dataset.sidebar;
});

function show(widthPixels: number) {
  (window as unknown as { happyDOM: { setViewport(size: { width: number }): void } }).happyDOM.setViewport({
    width: widthPixels,
  });
  render(
    <PanelState store={createStore()}>
      <Sidebar area="admin" path="/admin" supportLink={null} />
    </PanelState>,
  );
  return screen.getByRole("button", { name: /sidebar$/ });
}

test("it is expanded from 1024 px on, and collapsing it there is remembered", async () => {
  const toggle = show(1440);
  expect(toggle.getAttribute("aria-expanded")).toBe("true");
  await userEvent.click(toggle);
  expect(toggle.getAttribute("aria-expanded")).toBe("false");
  expect([document.documentElement.dataset.sidebar, localStorage.getItem("sidebar")]).toEqual([
    "collapsed",
    "collapsed",
  ]);
  await userEvent.click(toggle);
  expect(localStorage.getItem("sidebar")).toBe("auto");
});

test("it is collapsed automatically from 768 to 1023 px, and can be expanded there", async () => {
  const toggle = show(900);
  expect(toggle.getAttribute("aria-expanded")).toBe("false");
  await userEvent.click(toggle);
  expect([toggle.getAttribute("aria-expanded"), localStorage.getItem("sidebar")]).toEqual(["true", "expanded"]);
});

test("the current page is marked", () => {
  show(1440);
  const current = screen.getAllByRole("link").filter((link) => link.getAttribute("aria-current") === "page");
  expect(current.map((link) => link.textContent)).toEqual(["Overview"]);
});
