/** In this order: most browsers also name those that they descend from. */
const browsers: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\bOP(R|T|X)\/|\bOpera\b/, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bYaBrowser\//, "Yandex Browser"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bUCBrowser\//, "UC Browser"],
  [/\bMiuiBrowser\//, "Mi Browser"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/(Chrome|Chromium|CriOS)\//, "Chrome"],
  [/\bVersion\/.*\bSafari\//, "Safari"],
];
const systems: [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac(intosh| OS X)\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

export interface BrowserName {
  /** `Chrome on Windows`; of a program that is no browser its own name, such as `curl`. */
  name: string;
  isPhone: boolean;
}

/** Whoever signs in may say anything here: it tells one's own sessions apart, and proves nothing. */
export function browserNameOf(userAgent: string | null): BrowserName {
  const said = userAgent ?? "";
  const browser = nameIn(browsers, said);
  const system = nameIn(systems, said);
  const isPhone = /\b(iPhone|Mobile)\b/.test(said);
  if (browser) return { name: system ? `${browser} on ${system}` : browser, isPhone };
  const [program = ""] = said.match(/^[\w.-]+(?=\/|$)/) ?? [];
  if (program !== "" && program !== "Mozilla") return { name: program, isPhone };
  return { name: system ? `A browser on ${system}` : "An unknown browser", isPhone };
}

function nameIn(names: [RegExp, string][], said: string): string | undefined {
  return names.find(([pattern]) => pattern.test(said))?.[1];
}
