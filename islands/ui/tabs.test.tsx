import { expect, test } from "bun:test";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expectFocus } from "../../tests/expect-element.ts";
import { Tabs } from "./tabs.tsx";

function Login() {
  const [role, setRole] = useState("admin");
  const tabs = [
    { id: "admin", label: "Admin", panel: "Admin form" },
    { id: "reseller", label: "Reseller", panel: "Reseller form" },
  ];
  return <Tabs label="Role" tabs={tabs} selected={role} onSelect={setRole} />;
}

test("arrows, Home and End select a tab, and only its panel is rendered", async () => {
  render(<Login />);
  await userEvent.tab();
  await userEvent.keyboard("{ArrowRight}");
  await expectFocus(screen.getByRole("tab", { name: "Reseller", selected: true }));
  expect(screen.getByRole("tabpanel", { name: "Reseller" }).textContent).toBe("Reseller form");
  await userEvent.keyboard("{ArrowRight}");
  expect(screen.getByRole("tabpanel", { name: "Admin" })).toBeTruthy();
  await userEvent.keyboard("{End}");
  expect(screen.queryByText("Admin form") === null).toBeTrue();
});
