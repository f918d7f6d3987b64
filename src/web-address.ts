/** An http or https address without a name and password in it. Checked when it is written and again where it is rendered: `javascript:` is a URL too. */
export function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || url.protocol === "http:";
}
