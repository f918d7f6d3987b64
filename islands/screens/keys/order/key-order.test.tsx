import { expect, test } from "bun:test";
import { render, screen } from "@testing-library/react";
import { GeneratedKeys } from "./key-order.tsx";

const made = {
  game: "FREE FIRE",
  deviceLimit: 1,
  createdAt: "2025-03-05T14:07:00.000Z",
  expiryDate: "2025-04-04T14:07:00.000Z",
  durationHours: 720,
};
const keys = ["FIRE-0", "FIRE-1"].map((keyString, id) => ({ id, keyString, ...made }));

test("bought keys are shown even if the network is lost before their receipt loads", async () => {
  Object.defineProperty(navigator, "onLine", { value: false, configurable: true });
  render(<GeneratedKeys area="admin" orderId={null} keys={keys} copiedToast={{ title: "Copied" }} fresh />);
  const plain = await screen.findByRole("region", { name: "Generated Keys" });
  expect([...plain.children].map(({ textContent }) => textContent)).toEqual(["FIRE-0", "FIRE-1"]);
  Reflect.deleteProperty(navigator, "onLine");
});
