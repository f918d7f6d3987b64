import { expect, test } from "bun:test";
import { render, screen, within } from "@testing-library/react";
import ResellerApiScreen from "./reseller-api.tsx";

test("the page documents POST /api/verify and guides through four steps", () => {
  render(<ResellerApiScreen language="javascript" />);
  expect(screen.getByText("/api/verify")).toBeTruthy();
  const steps = within(screen.getByRole("list")).getAllByRole("heading", { level: 3 });
  expect(steps.map(({ textContent }) => textContent)).toEqual([
    "Generate a unique device ID",
    "Store the key securely",
    "Verify on startup, tolerate offline",
    "Handle errors",
  ]);
});
