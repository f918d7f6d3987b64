import { afterEach } from "bun:test";
import { GlobalRegistrator } from "@happy-dom/global-registrator";

GlobalRegistrator.register({ url: "http://localhost/" });

// Imported after the document exists, because testing-library looks for it when it is loaded.
const { cleanup } = await import("@testing-library/react");
afterEach(cleanup);
