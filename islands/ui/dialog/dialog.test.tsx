import { afterEach, expect, mock, spyOn, test } from "bun:test";
import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expectFocus, expectGone } from "../../../tests/expect-element.ts";
import { doublePressMs } from "../../runtime/once.ts";
import { currentToast, showToast } from "../toast/store.ts";
import { Toaster } from "../toast/toaster.tsx";
import { Dialog, KeptButton } from "./dialog.tsx";
import { sheetDragPixelsMin } from "./surface.ts";

const matchMediaOfWindow = window.matchMedia;
afterEach(() => {
  window.matchMedia = matchMediaOfWindow;
});

function screenIsPhone(isPhone: boolean) {
  window.matchMedia = ((query: string) => ({
    matches: isPhone && query.includes("max-width"),
  })) as typeof window.matchMedia;
}

function AddCredit() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Add Credit
      </button>
      <Dialog open={open} onOpenChange={setOpen} title="Add credit" description="To one reseller.">
        <input aria-label="Amount" />
      </Dialog>
    </>
  );
}

async function openDialog() {
  render(<AddCredit />);
  await userEvent.click(screen.getByRole("button", { name: "Add Credit" }));
  return screen.getByRole("dialog", { name: "Add credit", description: "To one reseller." });
}

test("Esc also closes the dialog while a toast is shown, to which Radix would send it", async () => {
  await import("../toast/view.tsx");
  render(<Toaster />);
  await openDialog();
  act(() => void showToast({ title: "Success", description: "Device removed successfully" }));
  await screen.findByText("Device removed successfully", { selector: "li *" });
  await userEvent.click(screen.getByLabelText("Amount"));
  await userEvent.keyboard("{Escape}");
  await expectGone(() => screen.queryByRole("dialog"));
  act(() => {
    currentToast.value = null;
  });
});

/** Presses Enter as a browser does: the button that has the focus is pressed unless the default was prevented. */
function pressEnter(element: Element, init: KeyboardEventInit = {}): boolean {
  return fireEvent.keyDown(element, { key: "Enter", ...init });
}

/** Presses Enter in the dialog, which closes; returns its opener once that has the focus again. */
async function closeWithEnter(): Promise<HTMLElement> {
  const dialog = await openDialog();
  pressEnter(screen.getByLabelText("Amount"));
  fireEvent.click(within(dialog).getByRole("button", { name: "Close" }));
  const opener = screen.getByRole("button", { name: "Add Credit" });
  await expectFocus(opener);
  return opener;
}

test("the second of two presses of Enter, and a held one, do not press what opened the dialog that the first closed", async () => {
  const clock = spyOn(performance, "now").mockImplementation(() => 1_000);
  const opener = await closeWithEnter();
  clock.mockImplementation(() => 999 + doublePressMs);
  expect([pressEnter(opener), pressEnter(opener, { repeat: true })]).toEqual([false, false]);
  clock.mockImplementation(() => 1_000 + doublePressMs);
  expect([pressEnter(opener, { repeat: true }), pressEnter(opener), pressEnter(opener)]).toEqual([false, true, true]);
  clock.mockRestore();
});

test("another key, and moving the focus, end the wait for a second Enter", async () => {
  const clock = spyOn(performance, "now").mockImplementation(() => 1_000);
  const opener = await closeWithEnter();
  expect([fireEvent.keyDown(opener, { key: "Tab" }), pressEnter(opener)]).toEqual([true, true]);
  cleanup();
  const again = await closeWithEnter();
  act(() => again.blur());
  expect(pressEnter(again)).toBe(true);
  clock.mockRestore();
});

function dragHead(dialog: HTMLElement, pixels: number) {
  const head = dialog.firstElementChild as HTMLElement;
  fireEvent.pointerDown(head, { button: 0, clientY: 300 });
  fireEvent.pointerMove(head, { clientY: 300 + pixels });
  fireEvent.pointerUp(head, { clientY: 300 + pixels });
}

test("Esc closes a dialog and the focus returns to what opened it", async () => {
  const dialog = await openDialog();
  expect(dialog.contains(document.activeElement)).toBe(true);
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("dialog") === null).toBeTrue();
  const opener = screen.getByRole("button", { name: "Add Credit" });
  await expectFocus(opener);
});

function Cards() {
  const [cards, setCards] = useState(["first", "second"]);
  const [open, setOpen] = useState(false);
  return (
    <>
      <ul>
        {cards.map((card) => (
          <li key={card}>
            <button type="button" onClick={() => setOpen(true)}>
              Delete {card}
            </button>
          </li>
        ))}
      </ul>
      <Dialog open={open} onOpenChange={setOpen} title="Delete?">
        <button
          type="button"
          onClick={() => {
            setCards(["second"]);
            setOpen(false);
          }}
        >
          Yes
        </button>
      </Dialog>
    </>
  );
}

test("when the opener of a dialog is gone as it closes, the focus goes to its neighbour", async () => {
  render(<Cards />);
  await userEvent.click(screen.getByRole("button", { name: "Delete first" }));
  await userEvent.click(screen.getByRole("button", { name: "Yes" }));
  const next = screen.getByRole("button", { name: "Delete second" });
  await expectFocus(next);
});

test("on a phone a long downward drag closes the sheet", async () => {
  screenIsPhone(true);
  dragHead(await openDialog(), sheetDragPixelsMin + 1);
  expect(screen.queryByRole("dialog") === null).toBeTrue();
});

test("an upward drag moves nothing and closes nothing", async () => {
  screenIsPhone(true);
  const dialog = await openDialog();
  dragHead(dialog, -200);
  expect(screen.getByRole("dialog") === dialog).toBeTrue();
  expect(dialog.style.transform).toBe("");
});

test("on a wide screen a dialog cannot be dragged", async () => {
  screenIsPhone(false);
  const dialog = await openDialog();
  dragHead(dialog, 400);
  expect(screen.getByRole("dialog") === dialog).toBeTrue();
});

function Working({ onOpenChange }: { onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open onOpenChange={onOpenChange} title="Edit Update" busy>
      <input aria-label="Title" />
    </Dialog>
  );
}

test("while a dialog is at work neither Esc, nor the X, nor a press outside, nor a drag closes it", async () => {
  screenIsPhone(true);
  const onOpenChange = mock();
  render(<Working onOpenChange={onOpenChange} />);
  const dialog = screen.getByRole("dialog", { name: "Edit Update" });
  await userEvent.keyboard("{Escape}");
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  fireEvent.pointerDown(document.body);
  dragHead(dialog, sheetDragPixelsMin + 1);
  expect(onOpenChange).not.toHaveBeenCalled();
  expect(dialog.style.transform).toBe("");
});

test("a dialog that shows something once is closed only by its own button, and guards the page", async () => {
  screenIsPhone(true);
  const clock = spyOn(performance, "now").mockImplementation(() => 1_000);
  const close = mock();
  render(
    <Dialog
      open
      onOpenChange={close}
      title="New Password"
      stays
      footer={<KeptButton label="I have it" onKept={close} />}
    >
      secret
    </Dialog>,
  );
  const dialog = screen.getByRole("dialog", { name: "New Password" });
  await userEvent.keyboard("{Escape}");
  dragHead(dialog, sheetDragPixelsMin + 1);
  await userEvent.click(screen.getByRole("button", { name: "I have it" }));
  expect([close.mock.calls.length, screen.queryByRole("button", { name: "Close" })]).toEqual([0, null]);
  const leaving = new Event("beforeunload", { cancelable: true });
  window.dispatchEvent(leaving);
  expect(leaving.defaultPrevented).toBeTrue();
  clock.mockImplementation(() => 1_000 + doublePressMs);
  const kept = screen.getByRole("button", { name: "I have it" });
  expect([pressEnter(kept, { repeat: true }), pressEnter(kept)]).toEqual([false, true]);
  await userEvent.click(kept);
  expect(close).toHaveBeenCalledTimes(1);
  clock.mockRestore();
});
