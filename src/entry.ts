import { takeHugePages } from "./huge-pages.ts";

/** What the executable runs first: to load `main.ts`, with all that it imports, is more than half of a start. */
takeHugePages();
await import("./main.ts");
