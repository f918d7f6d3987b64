/** In this order, because most browsers also name the ones they descend from. */
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

interface BrowserName {
  /** `Chrome on Windows`; for other programs their own name, such as `curl`. */
  name: string;
  isPhone: boolean;
}

/** Clients can send anything here: it only helps users to tell their own sessions apart. */
export function browserNameOf(userAgent: string | null): BrowserName {
  const agent = userAgent ?? "";
  const browser = nameIn(browsers, agent);
  const system = nameIn(systems, agent);
  const isPhone = /\b(iPhone|Mobile)\b/.test(agent);
  if (browser) return { name: system ? `${browser} on ${system}` : browser, isPhone };
  const [program = ""] = agent.match(/^[\w.-]+(?=\/|$)/) ?? [];
  if (program !== "" && program !== "Mozilla") return { name: program, isPhone };
  return { name: system ? `A browser on ${system}` : "An unknown browser", isPhone };
}

function nameIn(names: [RegExp, string][], agent: string): string | undefined {
  return names.find(([pattern]) => pattern.test(agent))?.[1];
}
