import { expect, mock, test } from "bun:test";
import { act, fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { Confirm } from "./confirm.tsx";
import { Dialog } from "./dialog.tsx";
import { sheetDragPixelsMin } from "./surface.ts";

function ResetAll({ onConfirm }: { onConfirm: () => unknown }) {
  const [open, setOpen] = useState(true);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Ask again
      </button>
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title="Reset All Keys"
        text="Every device leaves every key."
        confirmLabel="Reset"
        busyLabel="Resetting..."
        typedWord="RESET"
        onConfirm={onConfirm}
      />
    </>
  );
}

test("an action that cannot be undone waits for the typed word", async () => {
  const confirm = mock();
  render(<ResetAll onConfirm={confirm} />);
  const word = screen.getByLabelText("Type RESET to confirm");
  await userEvent.type(word, "reset{Enter}");
  expect(confirm).not.toHaveBeenCalled();
  await userEvent.clear(word);
  await userEvent.type(word, "RESET{Enter}");
  expect(confirm).toHaveBeenCalledTimes(1);
  expect(screen.queryByRole("alertdialog") === null).toBeTrue();
});

test("the typed word is dropped when the dialog closes", async () => {
  render(<ResetAll onConfirm={mock()} />);
  await userEvent.type(screen.getByLabelText("Type RESET to confirm"), "RESET");
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  await userEvent.click(screen.getByRole("button", { name: "Ask again" }));
  expect((screen.getByLabelText("Type RESET to confirm") as HTMLInputElement).value).toBe("");
});

test("while at work it is busy and cannot be closed; after a failure it stays open", async () => {
  const work = Promise.withResolvers<void>();
  render(<ResetAll onConfirm={() => work.promise} />);
  await userEvent.type(screen.getByLabelText("Type RESET to confirm"), "RESET{Enter}");
  expect(screen.getByRole("button", { name: "Resetting..." })).toBeTruthy();
  await userEvent.keyboard("{Escape}");
  expect(screen.getByRole("alertdialog", { name: "Reset All Keys" })).toBeTruthy();
  await act(async () => work.reject(new Error("The disk is full.")));
  expect(screen.getByRole("button", { name: "Reset" })).toBeTruthy();
});

test("on a phone a drag closes the confirmation, but not while it is at work", async () => {
  const realMatchMedia = window.matchMedia;
  window.matchMedia = ((query: string) => ({ matches: query.includes("max-width") })) as typeof window.matchMedia;
  const work = Promise.withResolvers<void>();
  render(<ResetAll onConfirm={() => work.promise} />);
  await userEvent.type(screen.getByLabelText("Type RESET to confirm"), "RESET{Enter}");
  dragHead();
  expect(screen.queryByRole("alertdialog") !== null).toBeTrue();
  await act(async () => work.reject(new Error("The disk is full.")));
  dragHead();
  expect(screen.queryByRole("alertdialog") === null).toBeTrue();
  window.matchMedia = realMatchMedia;
});

function dragHead() {
  const title = screen.getByRole("heading", { name: "Reset All Keys" });
  fireEvent.pointerDown(title, { button: 0, clientY: 300 });
  fireEvent.pointerMove(title, { clientY: 300 + sheetDragPixelsMin + 1 });
  fireEvent.pointerUp(title, { clientY: 300 + sheetDragPixelsMin + 1 });
}

function Stacked() {
  const [asking, setAsking] = useState(false);
  const [open, setOpen] = useState(true);
  return (
    <>
      <Dialog open={open} onOpenChange={setOpen} title="Key Details">
        <button type="button" onClick={() => setAsking(true)}>
          Revoke
        </button>
      </Dialog>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Revoke License Key"
        text="It stops working."
        confirmLabel="Revoke Key"
        busyLabel="Revoking..."
        onConfirm={mock()}
      />
    </>
  );
}

test("Escape at the moment a confirmation opens over a dialog closes the confirmation only", async () => {
  render(<Stacked />);
  // The question has just taken the focus, and Radix does not know of it yet.
  const pressAtOnce = ({ target }: FocusEvent) => {
    if ((target as Element).closest("[role=alertdialog]")) fireEvent.keyDown(target as Element, { key: "Escape" });
  };
  document.addEventListener("focusin", pressAtOnce);
  await userEvent.click(screen.getByRole("button", { name: "Revoke" }));
  document.removeEventListener("focusin", pressAtOnce);
  expect(screen.queryByRole("alertdialog") === null).toBeTrue();
  expect(screen.getByRole("dialog", { name: "Key Details" })).toBeTruthy();
});
