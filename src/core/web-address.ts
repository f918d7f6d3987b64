/** An http or https address without a name and password in it. Checked when it is written and again where it is rendered: `javascript:` is a URL too. */
export function isWebAddress(text: string): boolean {
  // URL.parse also takes `https:host` and drops tabs and line breaks: what is stored has to be what was checked.
  if (!/^https?:\/\/[^\s\p{Cc}]+$/iu.test(text)) return false;
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || url.protocol === "http:";
}
