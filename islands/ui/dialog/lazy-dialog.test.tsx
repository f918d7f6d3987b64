import { beforeEach, expect, test } from "bun:test";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ComponentType, useState } from "react";
import type { Load } from "../../runtime/lazy.ts";
import { currentToast } from "../toast/store.ts";
import { lazyDialog } from "./lazy-dialog.tsx";

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

let tries: number;
beforeEach(() => {
  currentToast.value = null;
  tries = 0;
});

function Page({ dialog: Dialog }: { dialog: ComponentType<DialogProps> }) {
  const [open, setOpen] = useState<boolean | null>(null);
  return (
    <>
      <input aria-label="Note" />
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {open !== null && <Dialog open={open} onOpenChange={setOpen} />}
    </>
  );
}

const show = (load: Load<DialogProps>) => render(<Page dialog={lazyDialog(load)} />);
const open = () => userEvent.click(screen.getByRole("button", { name: "Open" }));
const arriving = { default: ({ open }: DialogProps) => open && <div role="dialog" /> };

test("a dialog whose script fails to load says so and keeps the page; the next press tries again", async () => {
  show(async () => {
    tries += 1;
    if (tries < 3) throw new Error("lost");
    return arriving;
  });
  await userEvent.type(screen.getByLabelText("Note"), "typed");
  for (const presses of [1, 2]) {
    currentToast.value = null;
    await open();
    await waitFor(() =>
      expect(currentToast.value?.description).toBe("This could not be loaded. Check your connection and try again."),
    );
    expect(tries).toBe(presses);
    expect(screen.queryByRole("status") === null).toBeTrue();
  }
  await open();
  expect(await screen.findByRole("dialog")).toBeTruthy();
  expect((screen.getByLabelText("Note") as HTMLInputElement).value).toBe("typed");
});

test("without a network no script is requested, because browsers would never retry it", async () => {
  const onLine = Object.getOwnPropertyDescriptor(Navigator.prototype, "onLine") as PropertyDescriptor;
  Object.defineProperty(navigator, "onLine", { value: false, configurable: true });
  show(async () => {
    tries += 1;
    return arriving;
  });
  await open();
  await waitFor(() => expect(currentToast.value?.title).toBe("Error"));
  // A reload would lose the page as well.
  expect(currentToast.value?.action).toBeUndefined();
  expect(tries).toBe(0);
  Object.defineProperty(navigator, "onLine", { ...onLine, configurable: true });
  await open();
  expect(await screen.findByRole("dialog")).toBeTruthy();
});

test("a slow script shows a loading notice until it has loaded", async () => {
  const script = Promise.withResolvers<typeof arriving>();
  show(() => script.promise);
  await open();
  expect(screen.getByRole("status").textContent).toBe("Loading...");
  script.resolve(arriving);
  expect(await screen.findByRole("dialog")).toBeTruthy();
  expect(screen.queryByRole("status") === null).toBeTrue();
});
