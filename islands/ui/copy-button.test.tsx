import { afterEach, beforeEach, expect, jest, mock, test } from "bun:test";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { expectFocus } from "../../tests/expect-element.ts";
import { CopyButton, copyFeedbackMs } from "./copy-button.tsx";

const key = "PBGM-A1B2C-D3E4F-G5H6I";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function offerClipboard(clipboard: Pick<Clipboard, "writeText"> | undefined) {
  Object.defineProperty(navigator, "clipboard", { configurable: true, value: clipboard });
}

async function press(name: string) {
  await act(async () => void fireEvent.click(screen.getByRole("button", { name })));
}

test("one press copies, and the button says so for 2 s", async () => {
  const writeText = mock(async () => {});
  const copied = mock();
  offerClipboard({ writeText });
  render(<CopyButton text={key} label="Copy Key" onCopied={copied} />);
  await press("Copy Key");
  expect(writeText).toHaveBeenCalledWith(key);
  expect(copied).toHaveBeenCalledTimes(1);
  expect(screen.getByRole("status").textContent).toBe("Copied");
  await act(async () => void jest.advanceTimersByTime(copyFeedbackMs - 1));
  expect(screen.getByRole("button").textContent).toBe("Copied");
  await act(async () => void jest.advanceTimersByTime(1));
  expect(screen.getByRole("button").textContent).toBe("Copy Key");
});

test("on plain http, where there is no clipboard, it copies through a hidden field and keeps the focus", async () => {
  offerClipboard(undefined);
  let copied = "";
  document.execCommand = () => {
    copied = (document.querySelector("textarea") as HTMLTextAreaElement).value;
    return true;
  };
  render(<CopyButton text={() => key} label="Copy Key" iconOnly />);
  screen.getByRole("button").focus();
  await press("Copy Key");
  expect(copied).toBe(key);
  expect(document.querySelector("textarea") === null).toBeTrue();
  await expectFocus(screen.getByRole("button", { name: "Copied" }));
});

test("a copy that fails says so, and is not reported as copied", async () => {
  const copied = mock();
  offerClipboard({ writeText: () => Promise.reject(new Error("refused")) });
  document.execCommand = () => false;
  render(<CopyButton text={key} label="Copy Key" onCopied={copied} />);
  await press("Copy Key");
  expect(screen.getByRole("button", { name: "Could not copy" })).toBeTruthy();
  expect(copied).not.toHaveBeenCalled();
});
