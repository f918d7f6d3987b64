import { expect, test } from "bun:test";
import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { lazyPart } from "./lazy-part.tsx";

test("a part whose script is lost says so, and is tried again by Retry and when the network is back", async () => {
  let tries = 0;
  const Part = lazyPart(async () => {
    tries += 1;
    if (tries < 3) throw new Error("lost");
    return { default: () => <p>The other tab</p> };
  });
  render(<Part />);
  await screen.findByText("This could not be loaded. Check your connection and try again.");
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  await screen.findByText("This could not be loaded. Check your connection and try again.");
  act(() => void window.dispatchEvent(new Event("online")));
  expect(await screen.findByText("The other tab")).toBeTruthy();
});
