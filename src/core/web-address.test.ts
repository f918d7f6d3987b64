import { expect, test } from "bun:test";
import { isWebAddress } from "./text.ts";

test.each([
  "https://example.com",
  "http://example.com/a?b=c#d",
  "HTTPS://EXAMPLE.COM",
  "http://[::1]:3000/",
  "https://müller.example/ö",
])("%s may be linked", (text) => expect(isWebAddress(text)).toBe(true));

test.each([
  "javascript:alert(1)",
  "data:text/html,x",
  "ftp://example.com",
  "//example.com",
  "example.com",
  "https:example.com",
  "ht\ttps://example.com",
  "https://exa\u0000mple.com",
  "https://name:secret@example.com",
  "https://",
  " https://example.com",
])("%j may not be linked", (text) => expect(isWebAddress(text)).toBe(false));
